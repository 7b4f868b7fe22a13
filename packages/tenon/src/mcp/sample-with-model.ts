import {
  type ContentBlock,
  isJsonObject,
  type Json,
  type JsonObject,
  type Message,
  type Model,
  text,
  userMessage,
} from '@tenon/kernel'
import { blockOfContent, McpError } from '@tenon/mcp'

const MAX_TOKENS = 4_096

/**
 * Answers a server's `sampling/createMessage` with the agent's model: the server's messages and nothing else, so that
 * it learns nothing of the conversation. @throws McpError `mcp-input-refused` when the model does not answer
 */
export async function sampleWithModel(model: Model, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
  const messages = Array.isArray(params.messages) ? params.messages : []
  const { systemPrompt, maxTokens, temperature } = params
  let said = ''
  let finish = 'endTurn'
  const request = {
    system: typeof systemPrompt === 'string' ? [text(systemPrompt)] : [],
    messages: messages.flatMap(messageOf),
    tools: [],
    toolChoice: 'none' as const,
    settings: {
      maxOutputTokens: Math.min(typeof maxTokens === 'number' ? maxTokens : MAX_TOKENS, MAX_TOKENS),
      ...(typeof temperature === 'number' ? { temperature } : {}),
    },
  }
  for await (const event of model.generate(request, { signal })) {
    if (event.kind === 'block-ended' && event.block.kind === 'text') said += event.block.text
    if (event.kind !== 'finished') continue
    if (event.finish === 'error' || event.finish === 'truncated')
      throw new McpError('mcp-input-refused', 'The model did not answer.')
    if (event.finish === 'length') finish = 'maxTokens'
  }
  return { role: 'assistant', content: { type: 'text', text: said }, model: model.author.model, stopReason: finish }
}

function messageOf(value: Json): readonly Message[] {
  if (!isJsonObject(value)) return []
  const contents: readonly Json[] = Array.isArray(value.content) ? value.content : [value.content ?? null]
  const blocks: readonly ContentBlock[] = contents.map((content) => blockOfContent(content, () => {}))
  if (value.role !== 'assistant') return [userMessage(blocks, { source: 'mcp', trust: 'untrusted' })]
  return [{ role: 'assistant', blocks: blocks.filter((block) => block.kind === 'text') }]
}
