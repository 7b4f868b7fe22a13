import type { Provenance } from '../content/provenance.js'
import type { PartRecord } from './part.js'

/** A frozen part as an agent states it; digest and token estimate are added when it enters the journal. */
export type FramePart = {
  readonly partId: string
  readonly kind: Exclude<PartRecord['kind'], 'tool-definitions'>
  readonly provenance: Provenance
  readonly text: string
}
