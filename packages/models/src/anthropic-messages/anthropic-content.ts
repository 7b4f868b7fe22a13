import type { AssistantMessage, Author, CallId, ContentBlock, JsonObject, ModelRequest } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { staysFor, wroteIt } from '../wire/authorship.js'
import { isShowable, toldArtifact, toldMedia, wireType } from '../wire/told-media.js'
import type { ToolNames } from '../wire/tool-names.js'
import { wireCallIds } from '../wire/wire-call-ids.js'
import type { AnthropicQuirks } from './anthropic-quirks.js'

type Writing = {
  readonly self: Author
  readonly quirks: AnthropicQuirks
  readonly names: ToolNames
  readonly idOf: (callId: CallId) => string
}

export type AnthropicMessage = { readonly role: 'user' | 'assistant'; readonly content: JsonObject[] }

/**
 * The messages of a request: turns alternate, so what people and tools say in a row is one message, results first. A
 * paused turn may stand at the end; it goes back unchanged.
 */
export function anthropicMessagesOf(
  request: ModelRequest,
  self: Author,
  names: ToolNames,
  quirks: AnthropicQuirks,
): AnthropicMessage[] {
  const writing: Writing = { self, quirks, names, idOf: wireCallIds(request.messages, self, quirks.callIds) }
  const out: AnthropicMessage[] = []
  for (const message of request.messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content =
      message.role === 'assistant'
        ? assistantContent(message, writing)
        : message.role === 'user'
          ? userContent(message.blocks, quirks)
          : message.blocks.map((result) => ({
              type: 'tool_result',
              tool_use_id: writing.idOf(result.callId),
              content: resultContent(result.content, quirks),
              ...(result.isError ? { is_error: true } : {}),
            }))
    if (content.length === 0) continue
    const last = out.at(-1)
    if (last?.role === role) last.content.push(...content)
    else out.push({ role, content: [...content] })
  }
  if (out[0]?.role === 'assistant') out.unshift({ role: 'user', content: [{ type: 'text', text: 'Continue.' }] })
  return out
}

/** Whether the turn that goes on began with a thought of this model: if not, it cannot think before its next call. */
export function mayThink(messages: readonly AnthropicMessage[]): boolean {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (message === undefined) break
    if (message.role === 'user') {
      if (!message.content.some((block) => block.type === 'tool_result')) return true
    } else {
      const first = message.content[0]?.type
      return first === 'thinking' || first === 'redacted_thinking'
    }
  }
  return true
}

function assistantContent(message: AssistantMessage, { self, quirks, names, idOf }: Writing): JsonObject[] {
  const content: JsonObject[] = []
  for (const block of message.blocks) {
    if (!staysFor(block, self)) continue
    const raw = wroteIt(block, self) && isJsonObject(block.raw) ? block.raw : undefined
    if (block.kind === 'text') {
      if (block.text.trim() !== '' || raw?.citations !== undefined)
        content.push(raw ?? { type: 'text', text: block.text })
    } else if (block.kind === 'reasoning') {
      if (raw !== undefined && (block.seal !== 'none' || quirks.unsignedThinking === 'send')) content.push(raw)
    } else if (block.kind === 'opaque') {
      if (raw !== undefined) content.push(raw)
    } else if (block.kind === 'tool-call')
      content.push({
        type: 'tool_use',
        id: idOf(block.callId),
        name: names.toWire(block.name),
        input: block.args,
        ...raw,
      })
    else content.push({ type: 'text', text: toldMedia(block) })
  }
  return content
}

function userContent(blocks: readonly ContentBlock[], quirks: AnthropicQuirks): JsonObject[] {
  const content: JsonObject[] = []
  for (const block of blocks) {
    if (block.kind === 'text') {
      if (block.text.trim() !== '') content.push({ type: 'text', text: block.text })
    } else if (block.kind === 'artifact') content.push({ type: 'text', text: toldArtifact(block) })
    else content.push(mediaContent(block, quirks) ?? { type: 'text', text: toldMedia(block) })
  }
  return content
}

function resultContent(blocks: readonly ContentBlock[], quirks: AnthropicQuirks): string | JsonObject[] {
  const content = userContent(blocks, quirks)
  return content.every((block) => block.type === 'text') ? content.map((block) => block.text).join('\n') : content
}

function mediaContent(
  block: Exclude<ContentBlock, { kind: 'text' | 'artifact' }>,
  quirks: AnthropicQuirks,
): JsonObject | undefined {
  const { source, mediaType } = block
  if (!isShowable(block, quirks.media) || source.kind === 'artifact') return undefined
  const bytes =
    source.kind === 'url'
      ? { type: 'url', url: source.url }
      : { type: 'base64', media_type: wireType(mediaType), data: source.base64 }
  if (block.kind === 'image') return { type: 'image', source: bytes }
  const title = block.name === undefined ? {} : { title: block.name }
  if (mediaType === 'application/pdf') return { type: 'document', source: bytes, ...title }
  if (!mediaType.startsWith('text/') || source.kind !== 'data') return undefined
  const data = Buffer.from(source.base64, 'base64').toString('utf8')
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, ...title }
}
