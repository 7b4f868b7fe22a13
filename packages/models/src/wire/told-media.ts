import type { ArtifactBlock, MediaBlock } from '@tenon/kernel'

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
  if (block.source.kind === 'data') return `data:${block.mediaType};base64,${block.source.base64}`
  return block.source.kind === 'url' ? block.source.url : undefined
}
