import type { ArtifactBlock, MediaBlock } from '@tenon/kernel'

/** What every provider that takes pictures takes. */
const PICTURE = /^image\/(png|jpe?g|gif|webp)$/i
const NO_BASE64 = /[^A-Za-z0-9+/]/

/**
 * Whether a wire that takes these kinds can show a block. A picture of another format, or bytes that are no base64,
 * would have this request refused, and with it every later one of the run.
 */
export function isShowable({ kind, mediaType, source }: MediaBlock, kinds: readonly MediaBlock['kind'][]): boolean {
  if (!kinds.includes(kind)) return false
  if (source.kind !== 'data') return true
  const digits = source.base64.replace(/={1,2}$/, '')
  return digits !== '' && !NO_BASE64.test(digits) && (kind !== 'image' || PICTURE.test(mediaType))
}

/** Servers often say `image/jpg`, which is no type. */
export const wireType = (mediaType: string): string => (/^image\/jpg$/i.test(mediaType) ? 'image/jpeg' : mediaType)

/** What stands in the place of something that a model or its wire cannot take: it is told, never dropped. */
export function toldMedia(block: MediaBlock): string {
  const name = block.name === undefined ? '' : ` "${block.name}"`
  const where =
    block.source.kind === 'url'
      ? ` at ${block.source.url}`
      : block.source.kind === 'artifact'
        ? ` kept as ${block.source.artifactId}`
        : ''
  return `[${block.kind}${name} (${block.mediaType})${where}: this model cannot be shown it]`
}

export function toldArtifact(block: ArtifactBlock): string {
  return `[artifact "${block.name}" (${block.mediaType}, ${block.bytes} bytes) kept as ${block.artifactId}]`
}

/** A data URL for bytes, the link itself for a link; undefined for what lies in the store. */
export function mediaUrl(block: MediaBlock): string | undefined {
  if (block.source.kind === 'data') return `data:${wireType(block.mediaType)};base64,${block.source.base64}`
  return block.source.kind === 'url' ? block.source.url : undefined
}
