import type {
  AssistantMessage,
  Author,
  ContentBlock,
  Json,
  ModelRequest,
  ToolCallBlock,
  ToolMessage,
  ToolResultBlock,
} from '@tenon/kernel'
import { isJsonObject, plainText } from '@tenon/kernel'
import type { WireNames } from '../tool-form/wire-names.js'
import { staysFor, wroteIt } from '../wire/authorship.js'
import { toldArtifact, toldMedia } from '../wire/told-media.js'
import type { ChatItem, ChatResponsePart } from './worker-protocol.js'

/**
 * Writes a request's messages as the runtime's chat history. Turns of the model that follow each other, with the
 * results between them, become one answer, as the chat templates of models want it; it ends with an empty answer for
 * the model to fill.
 */
export function chatHistory(request: ModelRequest, self: Author, names: WireNames): readonly ChatItem[] {
  const items: ChatItem[] = []
  const system = plainText(request.system)
  if (system !== '') items.push({ type: 'system', text: system })
  for (const [index, message] of request.messages.entries()) {
    if (message.role === 'user') append(items, { type: 'user', text: textOf(message.blocks) })
    else if (message.role === 'assistant') {
      const next = request.messages[index + 1]
      const results = next?.role === 'tool' ? next : undefined
      append(items, { type: 'model', response: partsOf(message, results, self, names) })
    }
  }
  if (items.at(-1)?.type !== 'model') items.push({ type: 'model', response: [] })
  return items
}

/** Neighbours of one role are one item: two user messages in a row break most templates. */
function append(items: ChatItem[], item: ChatItem): void {
  const last = items.at(-1)
  if (last?.type === 'user' && item.type === 'user')
    items.splice(-1, 1, { type: 'user', text: `${last.text}\n\n${item.text}` })
  else if (last?.type === 'model' && item.type === 'model')
    items.splice(-1, 1, { type: 'model', response: [...last.response, ...item.response] })
  else items.push(item)
}

function partsOf(
  message: AssistantMessage,
  results: ToolMessage | undefined,
  self: Author,
  names: WireNames,
): readonly ChatResponsePart[] {
  const parts: ChatResponsePart[] = []
  let calls = 0
  for (const block of message.blocks) {
    if (!staysFor(block, self)) continue
    if (block.kind === 'text') parts.push(block.text)
    else if (block.kind === 'reasoning')
      parts.push({ type: 'segment', segmentType: 'thought', text: block.text, ended: true })
    else if (block.kind === 'tool-call') {
      const result = results?.blocks.find(({ callId }) => callId === block.callId)
      parts.push(callPart(block, result, wroteIt(block, self), calls === 0, names))
      calls++
    } else if (block.kind !== 'opaque') parts.push(toldMedia(block))
  }
  return parts
}

function callPart(
  block: ToolCallBlock,
  result: ToolResultBlock | undefined,
  own: boolean,
  first: boolean,
  names: WireNames,
): ChatResponsePart {
  const raw = own && isJsonObject(block.raw) ? block.raw.rawCall : undefined
  return {
    type: 'functionCall',
    name: names.toWire(block.name),
    params: block.args,
    result: result === undefined ? null : resultOf(result),
    ...(raw === undefined ? {} : { rawCall: raw }),
    ...(first ? { startsNewChunk: true } : {}),
  }
}

/** JSON stays JSON, so that it is not quoted twice. */
function resultOf(result: ToolResultBlock): Json {
  const said = textOf(result.content)
  if (result.isError) return { error: said }
  try {
    return JSON.parse(said) as Json
  } catch {
    return said
  }
}

function textOf(blocks: readonly ContentBlock[]): string {
  const parts = blocks.map((block) => {
    if (block.kind === 'text') return block.text
    return block.kind === 'artifact' ? toldArtifact(block) : toldMedia(block)
  })
  return parts.join('\n')
}
