import { ROOT_SCOPE } from '../../src/content/ids.js'
import { type ManifestEntry, manifestEntries } from '../../src/ledger/manifest.js'
import type { RunEvent } from '../../src/run/events.js'
import { RunState } from '../../src/run/state.js'

/** What each turn of the root scope was shown, line by line. */
export const manifestsOf = (events: readonly RunEvent[]): readonly (readonly ManifestEntry[])[] =>
  events.flatMap((event, at) =>
    event.kind === 'turn-began' ? [manifestEntries(RunState.of(events.slice(0, at + 1)), ROOT_SCOPE, event.view)] : [],
  )
