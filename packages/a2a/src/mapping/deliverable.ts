import type { Json, JsonObject } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import type { WireArtifact, WirePart } from './wire-types.js'

/**
 * What an agent hands over while it works: the value of a finished call of a tool whose origin is `DELIVERY`. The call
 * stands in the journal like any other, so a deliverable is published once, in order, and survives every restart.
 */
export type Deliverable = {
  readonly artifact: WireArtifact
  /** Its parts come after those of the same artifact. */
  readonly append: boolean
  readonly lastChunk: boolean
}

/** The origin of tools whose results are deliverables. */
export const DELIVERY = Object.freeze({ kind: 'function', name: 'deliver' } as const)

export function deliverableValue({ artifact, append, lastChunk }: Deliverable): JsonObject {
  return { artifact: artifact as unknown as JsonObject, append, lastChunk }
}

/** Undefined where a call's value is no deliverable. */
export function deliverableOf(value: Json | undefined): Deliverable | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.artifact)) return undefined
  const { artifactId, parts } = value.artifact
  if (typeof artifactId !== 'string' || !Array.isArray(parts)) return undefined
  return {
    artifact: { ...(value.artifact as unknown as WireArtifact), parts: parts as unknown as readonly WirePart[] },
    append: value.append === true,
    lastChunk: value.lastChunk === true,
  }
}
