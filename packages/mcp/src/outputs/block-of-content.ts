import { type ContentBlock, isJsonObject, type Json, type JsonObject, text } from '@tenon/kernel'
import type { Diagnose } from '../upstream/diagnostic.js'

/** One MCP content block as the kernel's. Nothing is followed or fetched; what cannot be shown is named. */
export function blockOfContent(value: Json, diagnose: Diagnose): ContentBlock {
  if (!isJsonObject(value)) return unknown('no object', diagnose)
  const { type } = value
  switch (type) {
    case 'text':
      return typeof value.text === 'string' ? text(value.text) : unknown('text without a text', diagnose)
    case 'image':
    case 'audio':
      return typeof value.data === 'string'
        ? { kind: type, mediaType: mediaType(value, `${type}/*`), source: { kind: 'data', base64: value.data } }
        : unknown(`${type} without data`, diagnose)
    case 'resource':
      return isJsonObject(value.resource) ? blockOfResource(value.resource) : unknown('resource of nothing', diagnose)
    case 'resource_link':
      return text(`[a link: ${word(value.name)} ${word(value.uri)}${inParentheses(value.mimeType)}]`)
    default:
      return unknown(typeof type === 'string' ? type.slice(0, 60) : 'unnamed', diagnose)
  }
}

/** The contents of a resource: text as text under its address, bytes as a file. */
export function blockOfResource(resource: JsonObject): ContentBlock {
  const { uri, text: said, blob } = resource
  if (typeof said === 'string') return text(`[${word(uri)}${inParentheses(resource.mimeType)}]\n${said}`)
  if (typeof blob !== 'string') return text(`[${word(uri)} is empty]`)
  const kind = mediaKind(mediaType(resource, 'application/octet-stream'))
  return {
    kind,
    mediaType: mediaType(resource, 'application/octet-stream'),
    source: { kind: 'data', base64: blob },
    ...(typeof uri === 'string' ? { name: uri } : {}),
  }
}

function unknown(what: string, diagnose: Diagnose): ContentBlock {
  diagnose('unknown-block', what)
  return text(`[a block of the kind "${what}", which cannot be shown]`)
}

const mediaKind = (type: string): 'image' | 'audio' | 'file' =>
  type.startsWith('image/') ? 'image' : type.startsWith('audio/') ? 'audio' : 'file'
const mediaType = ({ mimeType }: JsonObject, otherwise: string): string =>
  typeof mimeType === 'string' && /^[\w.+-]+\/[\w.+-]+/.test(mimeType) ? mimeType : otherwise
const word = (value: Json | undefined): string => (typeof value === 'string' ? value.slice(0, 2_000) : '')
const inParentheses = (value: Json | undefined): string =>
  typeof value === 'string' ? ` (${value.slice(0, 100)})` : ''
