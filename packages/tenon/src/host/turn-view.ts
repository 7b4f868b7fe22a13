import {
  type ManifestEntry,
  type Message,
  manifestEntries,
  type PartRecord,
  type RunEvent,
  type RunEventOf,
  RunState,
  systemParts,
  toolParts,
  type Usage,
  type ViewManifest,
} from '@tenon/kernel'
import { HostError } from '../errors.js'

/** What a model was shown at a turn: by part, with where each came from and what it took of the budget, and its text. */
export type TurnView = {
  readonly turnId: string
  readonly model: string
  readonly manifest: ViewManifest
  /** The manifest line by line. */
  readonly entries: readonly ManifestEntry[]
  readonly frozen: readonly PartRecord[]
  readonly messages: readonly Message[]
  /** What the provider counted; null where it told nothing. */
  readonly usage: Usage | null
}

/** @throws HostError `turn-unknown` for a turn that the run does not have */
export function turnView(events: readonly RunEvent[], written: string): TurnView {
  const turnId = /^\d+$/.test(written) ? `t${written}` : written
  const at = events.findIndex((event) => event.kind === 'turn-began' && event.turnId === turnId)
  const began = events[at] as RunEventOf<'turn-began'> | undefined
  if (began === undefined) {
    const turns = events.filter((event) => event.kind === 'turn-began').length
    throw new HostError(
      'turn-unknown',
      turns === 0 ? 'The run has no turns yet.' : `There is no turn ${written}; the run has t1 to t${turns}.`,
    )
  }
  const run = RunState.of(events.slice(0, at + 1))
  const ended = events.find((event) => event.kind === 'turn-ended' && event.turnId === turnId) as
    | RunEventOf<'turn-ended'>
    | undefined
  const entries = manifestEntries(run, began.scope, began.view)
  return {
    turnId,
    model: `${began.model.provider}/${began.model.model}`,
    manifest: began.view,
    entries,
    frozen: entries.length === 0 ? [] : [...systemParts(run.parts), ...toolParts(run.parts)],
    messages: run.scope(began.scope).transcript.messages.slice(0, began.view.messages),
    usage: ended?.usage ?? null,
  }
}
