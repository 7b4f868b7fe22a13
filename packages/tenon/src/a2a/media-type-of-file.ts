import { extname } from 'node:path'
import { mediaKindOf } from '../tools/media-kind.js'

const TEXTS: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
}

/** What a file is, for an agent that takes only some kinds: by its bytes, and for text by its name. */
export function mediaTypeOfFile(name: string, bytes: Uint8Array): string {
  const kind = mediaKindOf(bytes)
  if (kind !== undefined) return kind.mediaType
  if (!isText(bytes)) return 'application/octet-stream'
  return TEXTS[extname(name).toLowerCase()] ?? 'text/plain'
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
