import type { Author, ContentBlock, Json, JsonObject, MediaBlock } from '@tenon/kernel'
import { isJsonObject, text } from '@tenon/kernel'
import type { WirePart } from './wire-types.js'

/** Marks the raw form that a part leaves on its block, so that the part comes back as it was. */
export const A2A_AUTHOR: Author = Object.freeze({ provider: 'a2a', model: '', dialect: 'a2a' })

/** A part as a model is shown it. What the block has no place for stays in its raw form. */
export function blockOfPart(part: WirePart): ContentBlock {
  const { metadata, mediaType, filename } = part
  if ('text' in part) {
    const rest = frame({ metadata, mediaType, filename })
    return rest === undefined ? text(part.text) : { kind: 'text', text: part.text, author: A2A_AUTHOR, raw: rest }
  }
  if ('data' in part) {
    const raw = { ...frame({ metadata, mediaType, filename }), data: part.data }
    return { kind: 'text', text: JSON.stringify(part.data), author: A2A_AUTHOR, raw }
  }
  const rest = frame({ metadata, ...(mediaType === undefined ? { untyped: true } : {}) })
  const source: MediaBlock['source'] =
    'raw' in part ? { kind: 'data', base64: part.raw } : { kind: 'url', url: part.url }
  return {
    kind: mediaKind(mediaType),
    mediaType: mediaType ?? 'application/octet-stream',
    source,
    ...(filename === undefined ? {} : { name: filename }),
    ...(rest === undefined ? {} : { author: A2A_AUTHOR, raw: rest }),
  }
}

/** Bytes that are kept outside of the journal; undefined for what is not there, or is too large to be sent. */
export type KeptBytes = (artifactId: string) => Uint8Array | undefined

/** The part that a block stands for; undefined for one that a peer has no use for. */
function partOfBlock(block: ContentBlock, kept?: KeptBytes): WirePart | undefined {
  if (block.kind === 'artifact') return rawPart(kept?.(block.artifactId), block.mediaType, block.name)
  const raw = block.author?.dialect === A2A_AUTHOR.dialect && isJsonObject(block.raw) ? block.raw : {}
  const { data, untyped, ...rest } = raw as { readonly data?: Json; readonly untyped?: boolean } & JsonObject
  if (block.kind === 'text') return data === undefined ? { text: block.text, ...rest } : { data, ...rest }
  const media = {
    ...(untyped === true ? {} : { mediaType: block.mediaType }),
    ...(block.name === undefined ? {} : { filename: block.name }),
    ...rest,
  }
  if (block.source.kind === 'data') return { raw: block.source.base64, ...media }
  if (block.source.kind === 'url') return { url: block.source.url, ...media }
  return rawPart(kept?.(block.source.artifactId), block.mediaType, block.name)
}

function rawPart(bytes: Uint8Array | undefined, mediaType: string, filename: string | undefined): WirePart | undefined {
  if (bytes === undefined) return undefined
  const raw = Buffer.from(bytes).toString('base64')
  return { raw, mediaType, ...(filename === undefined ? {} : { filename }) }
}

/** The parts of what a run said; blocks that only we can read are left out. */
export function partsOfBlocks(blocks: readonly ContentBlock[], kept?: KeptBytes): readonly WirePart[] {
  const parts: WirePart[] = []
  for (const block of blocks) {
    const part = partOfBlock(block, kept)
    if (part !== undefined) parts.push(part)
  }
  return parts
}

/** The media type that a part is held to. */
export function mediaTypeOf(part: WirePart): string {
  if (part.mediaType !== undefined) return part.mediaType
  if ('text' in part) return 'text/plain'
  return 'data' in part ? 'application/json' : 'application/octet-stream'
}

function frame(fields: Readonly<Record<string, Json | undefined>>): JsonObject | undefined {
  const kept = Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

function mediaKind(mediaType = ''): MediaBlock['kind'] {
  if (mediaType.startsWith('image/')) return 'image'
  return mediaType.startsWith('audio/') ? 'audio' : 'file'
}
