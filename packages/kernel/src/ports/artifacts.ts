import type { ArtifactId, RunId } from '../content/ids.js'
import type { MaybePromise } from './maybe-promise.js'

export type ArtifactMeta = {
  readonly artifactId: ArtifactId
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
}

/** Large outputs and deliverables, by the digest of their bytes. Putting the same bytes twice keeps one copy. */
export interface Artifacts {
  put(
    bytes: Uint8Array,
    meta: { readonly name: string; readonly mediaType: string; readonly runId: RunId },
  ): MaybePromise<ArtifactMeta>
  meta(artifactId: ArtifactId): MaybePromise<ArtifactMeta | undefined>
  /** Whatever is kept for one run is kept for the other as well. */
  share(from: RunId, to: RunId): MaybePromise<void>
  /** `length` bytes from `offset`, fewer at the end. @throws KernelError `artifact-unknown` */
  read(artifactId: ArtifactId, offset: number, length: number): MaybePromise<Uint8Array>
}
