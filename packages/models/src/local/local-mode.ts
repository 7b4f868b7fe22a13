import type { JsonObject, ModelRequest, ToolDefinition } from '@tenon/kernel'
import { text } from '@tenon/kernel'
import type { WireNames } from '../tool-form/wire-names.js'
import { outputPrompt } from '../wire/output-prompt.js'
import { grammarSchema } from './grammar-schema.js'
import type { ChatMode } from './worker-protocol.js'

/** How a request is put to a model in this process: the request with what must be told in words, and what it may say. */
export type LocalPlan = {
  readonly request: ModelRequest
  readonly mode: ChatMode
  /** The whole answer is one call in JSON. */
  readonly forcedCall: boolean
}

export function localPlan(request: ModelRequest, names: WireNames): LocalPlan {
  const { tools, toolChoice, output } = request
  if (toolChoice === 'required' || typeof toolChoice === 'object') {
    const offered = typeof toolChoice === 'object' ? tools.filter((tool) => tool.name === toolChoice.name) : tools
    if (offered.length > 0) return forced(request, offered, names)
  }
  if (tools.length === 0 || toolChoice === 'none') {
    if (output === undefined) return { request, mode: { kind: 'free' }, forcedCall: false }
    const mode: ChatMode = { kind: 'shaped', schema: grammarSchema(output.schema) }
    return { request: outputPrompt(request, output.schema), mode, forcedCall: false }
  }
  const functions = Object.fromEntries(
    tools.map((tool) => [
      names.toWire(tool.name),
      { description: tool.description, params: grammarSchema(tool.input) },
    ]),
  )
  const mode: ChatMode = { kind: 'functions', functions, parallel: request.settings.parallelCalls ?? true }
  return { request: output === undefined ? request : outputPrompt(request, output.schema), mode, forcedCall: false }
}

/** A call that must come is written as JSON under one grammar: the chat templates know no way to insist. */
function forced(request: ModelRequest, offered: readonly ToolDefinition[], names: WireNames): LocalPlan {
  const forms = offered.map(
    (tool): JsonObject => ({
      type: 'object',
      properties: { name: { const: names.toWire(tool.name) }, arguments: grammarSchema(tool.input) },
    }),
  )
  const told = offered.map(
    (tool) => `- ${names.toWire(tool.name)}: ${tool.description}\n  ${JSON.stringify(tool.input)}`,
  )
  const words =
    'Answer with exactly one call as JSON: {"name": …, "arguments": …}. ' +
    `The functions, with the JSON Schema of their arguments:\n${told.join('\n')}`
  return {
    request: { ...request, system: [...request.system, text(words)] },
    mode: { kind: 'shaped', schema: forms.length === 1 && forms[0] ? forms[0] : { oneOf: forms } },
    forcedCall: true,
  }
}
