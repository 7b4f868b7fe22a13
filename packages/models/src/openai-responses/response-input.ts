import type { AssistantMessage, Author, CallId, ContentBlock, Json, JsonObject, ModelRequest } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { argumentsText } from '../wire/arguments-text.js'
import { staysFor, wroteIt } from '../wire/authorship.js'
import { isShowable, mediaUrl, toldArtifact, toldMedia } from '../wire/told-media.js'
import type { ToolNames } from '../wire/tool-names.js'
import { wireCallIds } from '../wire/wire-call-ids.js'
import type { ResponsesQuirks } from './responses-quirks.js'

type Writing = {
  readonly self: Author
  readonly quirks: ResponsesQuirks
  readonly names: ToolNames
  readonly idOf: (callId: CallId) => string
}

/** The items of a request's input. What this very model wrote goes back as it was, item by item. */
export function responseInput(request: ModelRequest, self: Author, names: ToolNames, quirks: ResponsesQuirks): Json[] {
  const writing: Writing = { self, quirks, names, idOf: wireCallIds(request.messages, self, quirks.callIds) }
  const items: Json[] = []
  for (const message of request.messages) {
    if (message.role === 'user') items.push({ role: 'user', content: contentParts(message.blocks, quirks) })
    else if (message.role === 'assistant') items.push(...assistantItems(message, writing))
    else
      for (const result of message.blocks)
        items.push({
          type: 'function_call_output',
          call_id: writing.idOf(result.callId),
          output: resultOutput(result.content, quirks),
        })
  }
  return items
}

function assistantItems(message: AssistantMessage, { self, quirks, names, idOf }: Writing): Json[] {
  const items: Json[] = []
  const dropped = message.blocks.some(
    (block) =>
      block.kind === 'reasoning' &&
      !(wroteIt(block, self) && (block.seal === 'encrypted' || quirks.openReasoning === 'send')),
  )
  let open: { readonly place: Json | undefined; readonly content: Json[] } | undefined
  for (const block of message.blocks) {
    if (!staysFor(block, self)) continue
    const raw = wroteIt(block, self) && isJsonObject(block.raw) ? block.raw : undefined
    if (block.kind !== 'text') open = undefined
    if (block.kind === 'text') {
      if (open !== undefined && raw !== undefined && open.place === raw.place) open.content.push(raw.part ?? null)
      else if (raw !== undefined && isJsonObject(raw.item)) {
        open = { place: raw.place, content: [raw.part ?? null] }
        items.push({ ...raw.item, content: open.content })
      } else items.push({ role: 'assistant', content: block.text })
    } else if (block.kind === 'reasoning') {
      if (raw !== undefined && (block.seal === 'encrypted' || quirks.openReasoning === 'send')) items.push(raw)
    } else if (block.kind === 'opaque') items.push(block.raw)
    else if (block.kind === 'tool-call') {
      const { id, ...rest } = raw ?? {}
      items.push({
        ...(id === undefined || dropped ? {} : { id }),
        ...(raw === undefined ? { type: 'function_call' } : rest),
        call_id: idOf(block.callId),
        name: names.toWire(block.name),
        arguments: argumentsText(block),
      })
    } else items.push({ role: 'assistant', content: toldMedia(block) })
  }
  return items
}

function contentParts(blocks: readonly ContentBlock[], quirks: ResponsesQuirks): JsonObject[] {
  return blocks.map((block) => {
    if (block.kind === 'text') return { type: 'input_text', text: block.text }
    if (block.kind === 'artifact') return { type: 'input_text', text: toldArtifact(block) }
    const url = isShowable(block, quirks.media) ? mediaUrl(block) : undefined
    if (url === undefined) return { type: 'input_text', text: toldMedia(block) }
    if (block.kind === 'image') return { type: 'input_image', image_url: url, detail: 'auto' }
    return block.source.kind === 'url'
      ? { type: 'input_file', file_url: url }
      : { type: 'input_file', filename: block.name ?? 'file', file_data: url }
  })
}

/** A text where the result is text alone; parts, so that pictures are seen, where it is more. */
function resultOutput(blocks: readonly ContentBlock[], quirks: ResponsesQuirks): Json {
  const parts = contentParts(blocks, quirks)
  return parts.every((part) => part.type === 'input_text') ? parts.map((part) => part.text).join('\n') : parts
}
