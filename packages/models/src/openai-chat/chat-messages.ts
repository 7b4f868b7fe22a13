import type { AssistantMessage, Author, CallId, Json, JsonObject, ModelRequest, ToolCallBlock } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { argumentsText } from '../wire/arguments-text.js'
import { staysFor, wroteIt } from '../wire/authorship.js'
import { toldMedia } from '../wire/told-media.js'
import type { ToolNames } from '../wire/tool-names.js'
import { wireCallIds } from '../wire/wire-call-ids.js'
import { chatContent, chatResult } from './chat-content.js'
import type { ChatQuirks } from './chat-quirks.js'

type Writing = {
  readonly self: Author
  readonly quirks: ChatQuirks
  readonly names: ToolNames
  readonly idOf: (callId: CallId) => string
}

/** The messages of a request in the chat dialect, system text first. */
export function chatMessages(request: ModelRequest, self: Author, names: ToolNames, quirks: ChatQuirks): Json[] {
  const writing: Writing = { self, quirks, names, idOf: wireCallIds(request.messages, self, quirks.callIds) }
  const out: Json[] = []
  const system = request.system.map((block) => block.text).filter((text) => text !== '')
  if (system.length > 0) out.push({ role: quirks.systemRole, content: system.join('\n\n') })
  for (const message of request.messages) {
    if (message.role === 'user') out.push({ role: 'user', content: chatContent(message.blocks, quirks) })
    else if (message.role === 'assistant') {
      const written = assistantMessage(message, writing)
      if (written !== undefined) out.push(written)
    } else {
      const shown: Json[] = []
      for (const result of message.blocks) {
        const { text, shown: media } = chatResult(result.content, quirks)
        out.push({ role: 'tool', tool_call_id: writing.idOf(result.callId), content: text })
        if (media.length > 0) shown.push({ type: 'text', text: `From the result of ${result.name}:` }, ...media)
      }
      if (shown.length > 0) out.push({ role: 'user', content: shown })
    }
  }
  return out
}

function assistantMessage(message: AssistantMessage, writing: Writing): JsonObject | undefined {
  const { self, quirks } = writing
  const blocks = message.blocks.filter((block) => staysFor(block, self))
  const calls = blocks.filter((block) => block.kind === 'tool-call')
  const thoughts = thoughtFields(blocks, calls.length > 0 && quirks.reasoningBack === 'with-calls', self)
  const texts: string[] = []
  const refusals: string[] = []
  let audio: Json | undefined
  let extra: Json | undefined
  for (const block of blocks) {
    if (block.kind === 'text') {
      if (block.refusal === true && wroteIt(block, self)) refusals.push(block.text)
      else texts.push(block.text)
      if (wroteIt(block, self) && isJsonObject(block.raw)) extra = block.raw.extra_content
    } else if (block.kind === 'audio' && wroteIt(block, self) && isJsonObject(block.raw) && block.raw.id !== undefined)
      audio = { id: block.raw.id }
    else if (block.kind === 'image' || block.kind === 'audio' || block.kind === 'file') texts.push(toldMedia(block))
  }
  const text = thoughts.written + texts.join('')
  const parts: Json[] = [...thoughts.parts, ...(text === '' ? [] : [{ type: 'text', text }])]
  const content: Json = thoughts.parts.length > 0 ? parts : text === '' ? quirks.emptyContent : text
  if (text === '' && parts.length + calls.length + refusals.length === 0 && audio === undefined && !thoughts.any)
    return undefined
  return {
    role: 'assistant',
    content,
    ...thoughts.fields,
    ...(refusals.length > 0 ? { refusal: refusals.join('') } : {}),
    ...(audio === undefined ? {} : { audio }),
    ...(extra === undefined ? {} : { extra_content: extra }),
    ...(calls.length > 0 ? { tool_calls: calls.map((call) => toolCall(call, writing)) } : {}),
  }
}

type Thoughts = {
  readonly fields: JsonObject
  /** Thoughts that stood among the parts of the content. */
  readonly parts: readonly Json[]
  /** Tags and thought that stood before the text. */
  readonly written: string
  readonly any: boolean
}

/** Thoughts in the fields that they came in. Lists of details go back always, the rest with the calls it led to. */
function thoughtFields(blocks: AssistantMessage['blocks'], plainToo: boolean, self: Author): Thoughts {
  const details: Json[] = []
  const plain: Record<string, string> = {}
  const parts: Json[] = []
  let written = ''
  for (const block of blocks) {
    if (block.kind !== 'reasoning' || !wroteIt(block, self) || !isJsonObject(block.raw)) continue
    const { field, entries, parts: own } = block.raw
    if (Array.isArray(entries)) details.push(...(entries as Json[]))
    else if (!plainToo) continue
    else if (Array.isArray(own)) parts.push(...(own as Json[]))
    else if (field === 'content') written += typeof block.raw.written === 'string' ? block.raw.written : ''
    else if (typeof field === 'string') plain[field] = (plain[field] ?? '') + block.text
  }
  const fields = { ...plain, ...(details.length > 0 ? { reasoning_details: details } : {}) }
  return { fields, parts, written, any: details.length > 0 }
}

function toolCall(block: ToolCallBlock, { self, names, idOf }: Writing): JsonObject {
  const extras = wroteIt(block, self) && isJsonObject(block.raw) ? block.raw : {}
  return {
    id: idOf(block.callId),
    type: 'function',
    function: { name: names.toWire(block.name), arguments: argumentsText(block) },
    ...extras,
  }
}
