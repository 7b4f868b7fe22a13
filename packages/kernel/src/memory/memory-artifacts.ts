import { ArtifactId } from '../content/ids.js'
import { KernelError } from '../errors/kernel-errors.js'
import type { ArtifactMeta, Artifacts } from '../ports/artifacts.js'

/**
 * Artifacts that are forgotten with the process.
 *
 * @param digest SHA-256 in lower-case hex; the kernel has no hash of its own.
 */
export function memoryArtifacts(digest: (bytes: Uint8Array) => string): Artifacts {
  const kept = new Map<ArtifactId, { readonly meta: ArtifactMeta; readonly bytes: Uint8Array }>()
  return {
    put(bytes, { name, mediaType }) {
      const artifactId = ArtifactId(`sha256:${digest(bytes)}`)
      const meta: ArtifactMeta = Object.freeze({ artifactId, name, mediaType, bytes: bytes.byteLength })
      // A copy: the caller may use its buffer again.
      if (!kept.has(artifactId)) kept.set(artifactId, { meta, bytes: bytes.slice() })
      return meta
    },

    meta: (artifactId) => kept.get(artifactId)?.meta,

    // Nothing is forgotten with a run.
    share: () => undefined,

    read(artifactId, offset, length) {
      const artifact = kept.get(artifactId)
      if (artifact === undefined)
        throw new KernelError('artifact-unknown', `No artifact ${artifactId} is kept. Check the handle.`)
      return artifact.bytes.slice(offset, offset + length)
    },
  }
}
