/**
 * Text of a response: by its byte order mark, the charset of its header, a `<meta>` of its first kilobyte, else UTF-8,
 * and windows-1252 where it is not even that (what browsers do). What a charset has no character for is replaced.
 */
export function decodeBody(bytes: Uint8Array, charset: string | undefined, isHtml: boolean): string {
  const named = byteOrderMark(bytes) ?? known(charset) ?? (isHtml ? known(metaCharset(bytes)) : undefined)
  if (named !== undefined) return new TextDecoder(named).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).toString('latin1')
  const named = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1]
  // It was read as ASCII, so it is not UTF-16, whatever it says (HTML standard, 13.2.3.2).
  return named?.toLowerCase().startsWith('utf-16') ? 'utf-8' : named
}

function known(charset: string | undefined): string | undefined {
  if (charset === undefined) return undefined
  try {
    return new TextDecoder(charset).encoding
  } catch {
    return undefined
  }
}
