import { type ContentBlock, isJsonObject, type Json, type JsonObject, type MediaBlock, text } from '@tenon/kernel'
import { HostError } from '../../errors.js'

/**
 * What is read of a request: the last message of the user, the answers by id, and what the assistant is said to have
 * said before it. The last is believed only where it is known here; system texts and tool results are not read at all.
 */
export type UserInput = {
  readonly blocks: readonly ContentBlock[]
  readonly approvals: readonly Approval[]
  /** The text that stood before the user's message. */
  readonly before: string | undefined
}

/** The answer to a request for consent, by the id that it was asked under. */
export type Approval = { readonly id: string; readonly approve: boolean; readonly reason?: string }

/** Of `messages` of a chat completion, or `input` of a response. @throws HostError `request-invalid` */
export function readUserInput(given: Json | undefined): UserInput {
  if (typeof given === 'string') return { blocks: given === '' ? [] : [text(given)], approvals: [], before: undefined }
  if (!Array.isArray(given)) throw invalid('There are no messages.')
  const items = (given as readonly Json[]).filter(isJsonObject)
  const last = items.findLastIndex(({ role }) => role === 'user')
  const spoken = items.findLastIndex((item, index) => index < last && item.role === 'assistant')
  const before = items[spoken]
  // What stands before the assistant's last words was read when it was sent.
  const isNew = last > items.findLastIndex(({ role }) => role === 'assistant')
  const said = isNew ? items[last] : undefined
  return {
    blocks: said === undefined ? [] : contentOf(said.content),
    approvals: items.flatMap(approvalOf),
    before: before === undefined ? undefined : textOf(before.content),
  }
}

function approvalOf(item: JsonObject): readonly Approval[] {
  if (item.type !== 'mcp_approval_response') return []
  const { approval_request_id: id, approve, reason } = item
  if (typeof id !== 'string' || typeof approve !== 'boolean')
    throw invalid('An mcp_approval_response has approval_request_id and approve.')
  return [{ id, approve, ...(typeof reason === 'string' && reason !== '' ? { reason } : {}) }]
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? (content as readonly Json[]).filter(isJsonObject) : []
  return parts.map((part) => (typeof part.text === 'string' ? part.text : '')).join('')
}

function contentOf(content: Json | undefined): readonly ContentBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [text(content)]
  if (!Array.isArray(content)) throw invalid('The content of a message is a text or a list of parts.')
  return (content as readonly Json[]).map(blockOf)
}

function blockOf(part: Json): ContentBlock {
  if (isJsonObject(part))
    switch (part.type) {
      case 'text':
      case 'input_text':
        if (typeof part.text === 'string') return text(part.text)
        break
      case 'image_url':
        if (isJsonObject(part.image_url)) return media('image', part.image_url.url)
        break
      case 'input_image':
        return media('image', part.image_url)
      case 'file':
        if (isJsonObject(part.file)) return media('file', part.file.file_data, part.file.filename)
        break
      case 'input_file':
        return media('file', part.file_data ?? part.file_url, part.filename)
      case 'input_audio':
        if (isJsonObject(part.input_audio)) return audio(part.input_audio)
    }
  throw invalid('Parts of a message are text, images, files and audio, by value or by address.')
}

const DATA = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,]*)?;base64,([A-Za-z0-9+/=]+)$/

function media(kind: MediaBlock['kind'], url: Json | undefined, name?: Json): MediaBlock {
  const named = typeof name === 'string' && name !== '' ? { name } : {}
  if (typeof url === 'string') {
    const [, mediaType, base64] = DATA.exec(url) ?? []
    if (mediaType !== undefined && base64 !== undefined)
      return { kind, mediaType, source: { kind: 'data', base64 }, ...named }
    if (/^https?:\/\//.test(url)) return { kind, mediaType: `${kind}/*`, source: { kind: 'url', url }, ...named }
  }
  throw invalid(`A part of kind ${kind} is a data: URL with base64, or an address.`)
}

function audio({ data, format }: JsonObject): MediaBlock {
  if (typeof data !== 'string' || typeof format !== 'string') throw invalid('input_audio has data and format.')
  return { kind: 'audio', mediaType: `audio/${format}`, source: { kind: 'data', base64: data } }
}

const invalid = (message: string): HostError => new HostError('request-invalid', message)
