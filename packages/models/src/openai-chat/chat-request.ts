import type { Author, Json, JsonObject, ModelRequest, ModelSettings } from '@tenon/kernel'
import { geminiSchema } from '../tool-form/gemini-schema.js'
import { objectRoot } from '../tool-form/object-root.js'
import { isClosedSchema } from '../wire/closed-schema.js'
import { outputPrompt } from '../wire/output-prompt.js'
import { reasoningEffort } from '../wire/reasoning-effort.js'
import type { ToolNames } from '../wire/tool-names.js'
import { chatMessages } from './chat-messages.js'
import type { ChatQuirks } from './chat-quirks.js'

/** The body of a request of the chat completions dialect. The same request gives the same bytes. */
export function chatRequest(request: ModelRequest, self: Author, names: ToolNames, quirks: ChatQuirks): JsonObject {
  const { settings, output } = request
  const told = output !== undefined && quirks.output !== 'json_schema' ? outputPrompt(request, output.schema) : request
  return {
    model: self.model,
    messages: chatMessages(told, self, names, quirks),
    ...tools(request, names, quirks),
    ...(output === undefined ? {} : responseFormat(output, quirks)),
    ...(settings.maxOutputTokens === undefined ? {} : { [quirks.tokenLimit]: settings.maxOutputTokens }),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.topP === undefined ? {} : { top_p: settings.topP }),
    ...(settings.stop === undefined || settings.stop.length === 0 ? {} : { stop: [...settings.stop] }),
    ...reasoning(settings.reasoning, self.model, quirks),
    ...(quirks.promptCacheKey && request.cacheKey !== undefined ? { prompt_cache_key: request.cacheKey } : {}),
    stream: quirks.stream,
    ...(quirks.stream && quirks.streamUsage ? { stream_options: { include_usage: true } } : {}),
  }
}

function tools(request: ModelRequest, names: ToolNames, quirks: ChatQuirks): JsonObject {
  if (request.tools.length === 0) return {}
  const { toolChoice, settings } = request
  const choice: Json =
    typeof toolChoice === 'object'
      ? { type: 'function', function: { name: names.toWire(toolChoice.name) } }
      : toolChoice === 'required'
        ? quirks.requiredChoice
        : toolChoice
  return {
    tools: request.tools.map(({ name, description, input }) => ({
      type: 'function',
      function: {
        name: names.toWire(name),
        description,
        parameters: quirks.toolSchema === 'gemini' ? geminiSchema(input) : objectRoot(input),
      },
    })),
    ...(choice === 'auto' ? {} : { tool_choice: choice }),
    ...(settings.parallelCalls === undefined || !quirks.parallelCalls
      ? {}
      : { parallel_tool_calls: settings.parallelCalls }),
  }
}

function responseFormat(output: NonNullable<ModelRequest['output']>, quirks: ChatQuirks): JsonObject {
  if (quirks.output === 'prompt') return {}
  if (quirks.output === 'json_object') return { response_format: { type: 'json_object' } }
  const { name, schema } = output
  return { response_format: { type: 'json_schema', json_schema: { name, schema, strict: isClosedSchema(schema) } } }
}

function reasoning(level: ModelSettings['reasoning'], model: string, quirks: ChatQuirks): JsonObject {
  if (level === undefined) return {}
  switch (quirks.reasoning) {
    case 'effort': {
      const effort = reasoningEffort(level, model, quirks.effortOff)
      return effort === undefined ? {} : { reasoning_effort: effort }
    }
    case 'reasoning-object':
      return { reasoning: level === 'off' ? { enabled: false } : { effort: level } }
    case 'enable-thinking':
      return { enable_thinking: level !== 'off' }
    case 'thinking-type':
      return { thinking: { type: level === 'off' ? 'disabled' : 'enabled' } }
    case 'none':
      return {}
  }
}
