/** A kind of file that models can look at, told by its first bytes and never by its name. */
export type MediaKind = { readonly kind: 'image' | 'file'; readonly mediaType: string }

const SIGNATURES: readonly (readonly [MediaKind, offset: number, bytes: string])[] = [
  [{ kind: 'image', mediaType: 'image/png' }, 0, '\x89PNG\r\n\x1a\n'],
  [{ kind: 'image', mediaType: 'image/jpeg' }, 0, '\xff\xd8\xff'],
  [{ kind: 'image', mediaType: 'image/gif' }, 0, 'GIF8'],
  [{ kind: 'image', mediaType: 'image/webp' }, 8, 'WEBP'],
  [{ kind: 'file', mediaType: 'application/pdf' }, 0, '%PDF-'],
]

export function mediaKindOf(head: Uint8Array): MediaKind | undefined {
  const start = Buffer.from(head.subarray(0, 16)).toString('latin1')
  return SIGNATURES.find(([, offset, bytes]) => start.startsWith(bytes, offset))?.[0]
}
