import type { Json } from '@tenon/kernel'
import { PeerError } from './peer-error.js'
import type { OutPart } from './wire/dialect.js'

export type PartArgument = {
  readonly text?: string
  readonly data?: Json
  readonly artifact?: string
  readonly url?: string
}

/** The whole of an artifact of ours; undefined when there is none with this id. */
export type ReadArtifact = (
  artifactId: string,
) => Promise<{ readonly bytes: Uint8Array; readonly name: string; readonly mediaType: string } | undefined>

const MOST_BYTES = 8 * 1024 * 1024

/** What a model names, as parts of a message: artifacts go by value, because a peer cannot see our store. */
export async function outParts(
  parts: readonly PartArgument[],
  artifact: ReadArtifact | undefined,
): Promise<readonly OutPart[]> {
  const found: OutPart[] = []
  for (const part of parts) {
    if (part.artifact === undefined) {
      found.push(part as OutPart)
      continue
    }
    const kept = await artifact?.(part.artifact)
    if (kept === undefined)
      throw new PeerError('peer-refused', `There is no artifact ${part.artifact.slice(0, 100)}; nothing was sent.`)
    if (kept.bytes.length > MOST_BYTES)
      throw new PeerError('peer-refused', `The artifact ${kept.name} is too large to send; nothing was sent.`)
    const { name: filename, mediaType, bytes } = kept
    found.push({ raw: Buffer.from(bytes).toString('base64'), filename, mediaType })
  }
  return found
}
