import type { Author, Json, JsonObject, ModelRequest } from '@tenon/kernel'
import { objectRoot } from '../tool-form/object-root.js'
import { isClosedSchema } from '../wire/closed-schema.js'
import { outputPrompt } from '../wire/output-prompt.js'
import type { ToolNames } from '../wire/tool-names.js'
import type { AnthropicMessage } from './anthropic-content.js'
import { anthropicMessagesOf, mayThink } from './anthropic-content.js'
import type { AnthropicQuirks } from './anthropic-quirks.js'
import { THINKING_BUDGETS } from './anthropic-quirks.js'

const CACHE = Object.freeze({ cache_control: Object.freeze({ type: 'ephemeral' }) })

/** Less than this is no room to think in; the API refuses smaller budgets. */
const LEAST_BUDGET = 1_024

/** The body of a request of the messages dialect. The same request gives the same bytes. */
export function anthropicRequest(
  request: ModelRequest,
  self: Author,
  names: ToolNames,
  quirks: AnthropicQuirks,
): JsonObject {
  const { settings, output } = request
  const held = output !== undefined && isClosedSchema(output.schema) && quirks.structuredOutput.test(self.model)
  const told = output !== undefined && !held ? outputPrompt(request, output.schema) : request
  const messages = anthropicMessagesOf(told, self, names, quirks)
  const maxTokens =
    settings.maxOutputTokens ?? quirks.maxTokens.find(([model]) => model.test(self.model))?.[1] ?? LEAST_BUDGET
  const thinking = thinkingOf(request, messages, maxTokens, self, quirks)
  const isThinking = thinking.thinking !== undefined && (thinking.thinking as JsonObject).type !== 'disabled'
  const config: JsonObject = {
    ...(held ? { format: { type: 'json_schema', schema: output?.schema ?? {} } } : {}),
    ...thinking.config,
  }
  const system = told.system.filter((block) => block.text.trim() !== '').map(({ text }) => ({ type: 'text', text }))
  const tools = toolsOf(request, names)
  if (quirks.cacheControl) mark(system.length > 0 ? system : tools)
  if (quirks.cacheControl && messages.at(-1)?.role === 'user') mark(messages.at(-1)?.content ?? [])
  return {
    model: self.model,
    max_tokens: maxTokens,
    ...(system.length === 0 ? {} : { system }),
    ...(tools.length === 0 ? {} : { tools, ...toolChoice(request, names) }),
    messages,
    ...(thinking.thinking === undefined ? {} : { thinking: thinking.thinking }),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...(settings.temperature === undefined || isThinking ? {} : { temperature: settings.temperature }),
    ...(settings.topP === undefined || isThinking ? {} : { top_p: settings.topP }),
    ...(settings.stop === undefined || settings.stop.length === 0 ? {} : { stop_sequences: [...settings.stop] }),
    stream: quirks.stream,
  }
}

/** Ends a prefix that the provider may find in its cache: the last block of the list gets the mark. */
function mark(blocks: JsonObject[]): void {
  const last = blocks.at(-1)
  if (last !== undefined) blocks[blocks.length - 1] = { ...last, ...CACHE }
}

function toolsOf(request: ModelRequest, names: ToolNames): JsonObject[] {
  return request.tools.map(({ name, description, input }) => ({
    name: names.toWire(name),
    description,
    input_schema: objectRoot(input),
  }))
}

function toolChoice({ toolChoice, settings }: ModelRequest, names: ToolNames): JsonObject {
  const single = settings.parallelCalls === false ? { disable_parallel_tool_use: true } : {}
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } }
  if (toolChoice === 'auto') return settings.parallelCalls === false ? { tool_choice: { type: 'auto', ...single } } : {}
  if (toolChoice === 'required') return { tool_choice: { type: 'any', ...single } }
  return { tool_choice: { type: 'tool', name: names.toWire(toolChoice.name), ...single } }
}

type Thinking = { readonly thinking?: Json; readonly config?: JsonObject }

/** A forced call and a turn that another model began leave no room for a thought: the API refuses both. */
function thinkingOf(
  { settings, toolChoice, tools }: ModelRequest,
  messages: readonly AnthropicMessage[],
  maxTokens: number,
  self: Author,
  quirks: AnthropicQuirks,
): Thinking {
  const level = settings.reasoning
  if (level === undefined) return {}
  const forced = tools.length > 0 && toolChoice !== 'auto' && toolChoice !== 'none'
  if (level === 'off' || forced || !mayThink(messages)) return { thinking: { type: 'disabled' } }
  if (quirks.adaptiveThinking.test(self.model)) return { thinking: { type: 'adaptive' }, config: { effort: level } }
  const budget = Math.min(THINKING_BUDGETS[level], maxTokens - LEAST_BUDGET)
  return budget < LEAST_BUDGET
    ? { thinking: { type: 'disabled' } }
    : { thinking: { type: 'enabled', budget_tokens: budget } }
}
