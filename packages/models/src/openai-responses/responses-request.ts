import type { Author, Json, JsonObject, ModelRequest, ModelSettings } from '@tenon/kernel'
import { objectRoot } from '../tool-form/object-root.js'
import { isClosedSchema } from '../wire/closed-schema.js'
import { OPENAI_EFFORT_OFF, reasoningEffort } from '../wire/reasoning-effort.js'
import type { ToolNames } from '../wire/tool-names.js'
import { responseInput } from './response-input.js'
import type { ResponsesQuirks } from './responses-quirks.js'

/** The body of a request of the responses dialect. Nothing is kept by the server: the input is the whole history. */
export function responsesRequest(
  request: ModelRequest,
  self: Author,
  names: ToolNames,
  quirks: ResponsesQuirks,
): JsonObject {
  const { settings, output } = request
  const system = request.system.map((block) => block.text).filter((text) => text !== '')
  const thinks = quirks.thinks.test(self.model)
  return {
    model: self.model,
    ...(system.length === 0 ? {} : { instructions: system.join('\n\n') }),
    input: responseInput(request, self, names, quirks),
    ...tools(request, names),
    ...(output === undefined ? {} : { text: { format: format(output) } }),
    ...(settings.maxOutputTokens === undefined ? {} : { max_output_tokens: settings.maxOutputTokens }),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.topP === undefined ? {} : { top_p: settings.topP }),
    ...reasoning(settings.reasoning, self.model),
    ...(thinks ? { include: ['reasoning.encrypted_content'] } : {}),
    ...(quirks.promptCacheKey && request.cacheKey !== undefined ? { prompt_cache_key: request.cacheKey } : {}),
    store: false,
    stream: quirks.stream,
  }
}

function tools(request: ModelRequest, names: ToolNames): JsonObject {
  if (request.tools.length === 0) return {}
  const { toolChoice, settings } = request
  const choice: Json =
    typeof toolChoice === 'object' ? { type: 'function', name: names.toWire(toolChoice.name) } : toolChoice
  return {
    tools: request.tools.map(({ name, description, input }) => ({
      type: 'function',
      name: names.toWire(name),
      description,
      parameters: objectRoot(input),
      strict: false,
    })),
    ...(choice === 'auto' ? {} : { tool_choice: choice }),
    ...(settings.parallelCalls === undefined ? {} : { parallel_tool_calls: settings.parallelCalls }),
  }
}

function format({ name, schema }: NonNullable<ModelRequest['output']>): JsonObject {
  return { type: 'json_schema', name, schema, strict: isClosedSchema(schema) }
}

function reasoning(level: ModelSettings['reasoning'], model: string): JsonObject {
  if (level === undefined) return {}
  const effort = reasoningEffort(level, model, OPENAI_EFFORT_OFF)
  if (effort === undefined) return {}
  return { reasoning: level === 'off' ? { effort } : { effort, summary: 'auto' } }
}
