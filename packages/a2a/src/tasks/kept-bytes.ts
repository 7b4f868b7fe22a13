import { ArtifactId } from '@tenon/kernel'
import type { SqliteArtifacts } from '@tenon/store'
import type { KeptBytes } from '../mapping/part-blocks.js'

/** Larger ones are not put into messages. */
const MOST = 8 * 1024 * 1024

export function keptBytes(artifacts: Pick<SqliteArtifacts, 'meta' | 'read'>): KeptBytes {
  return (artifactId) => {
    const meta = artifacts.meta(ArtifactId(artifactId))
    if (meta === undefined || meta.bytes > MOST) return undefined
    return artifacts.read(meta.artifactId, 0, meta.bytes)
  }
}
