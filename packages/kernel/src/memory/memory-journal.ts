import type { RunId } from '../content/ids.js'
import { KernelError } from '../errors/kernel-errors.js'
import type { Journal } from '../ports/journal.js'
import type { RunEvent } from '../run/events.js'

type Kept = { readonly events: RunEvent[]; readonly subRuns: RunId[] }

/**
 * A journal that lives as long as its process. Answers at once. Of runs that have ended it keeps the last `keep`, each
 * with all of its sub-runs; older ones are forgotten, since a process that runs agents for ever would fill up.
 */
export function memoryJournal({ keep = 100 }: { readonly keep?: number } = {}): Journal {
  const runs = new Map<RunId, Kept>()
  const ended = new Set<RunId>()

  /** Work that goes on after its parent stays, and counts for itself when it ends. */
  function forget(runId: RunId): void {
    const run = runs.get(runId)
    if (run?.events.at(-1)?.kind !== 'run-ended') return
    runs.delete(runId)
    for (const subRun of run.subRuns) forget(subRun)
  }

  return {
    load(runId, after = 0, limit = Number.POSITIVE_INFINITY) {
      return runs.get(runId)?.events.slice(after, after + limit) ?? []
    },

    append(runId, events) {
      const [first] = events
      if (first === undefined) return
      const run = runs.get(runId) ?? { events: [], subRuns: [] }
      let next = run.events.length + 1
      for (const event of events)
        if (event.seq !== next++)
          throw new KernelError(
            'journal-conflict',
            `Event ${event.seq} of run ${runId} does not follow the journal, which stands at ${run.events.length}. Load the run again.`,
          )
      for (const event of events) run.events.push(event)
      if (first.seq === 1) {
        runs.set(runId, run)
        if (first.kind === 'run-submitted' && first.parent) runs.get(first.parent.runId)?.subRuns.push(runId)
      }
      if (events.at(-1)?.kind === 'run-ended' && !isSubRun(run)) {
        ended.add(runId)
        if (ended.size > keep) for (const oldest of ended) if (ended.delete(oldest)) return forget(oldest)
      }
    },
  }

  /** It goes with its parent, as long as that is here. */
  function isSubRun({ events: [first] }: Kept): boolean {
    return first?.kind === 'run-submitted' && first.parent !== undefined && runs.has(first.parent.runId)
  }
}
