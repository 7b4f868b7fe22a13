import type { RunId } from '../content/ids.js'
import { KernelError } from '../errors/kernel-errors.js'
import type { Journal } from '../ports/journal.js'
import type { RunEvent } from '../run/events.js'

/** A journal that lives as long as its process. Answers at once. */
export function memoryJournal(): Journal {
  const runs = new Map<RunId, RunEvent[]>()
  return {
    load(runId, after = 0, limit = Number.POSITIVE_INFINITY) {
      return runs.get(runId)?.slice(after, after + limit) ?? []
    },

    append(runId, events) {
      if (events.length === 0) return
      const kept = runs.get(runId) ?? []
      let next = kept.length + 1
      for (const event of events)
        if (event.seq !== next++)
          throw new KernelError(
            'journal-conflict',
            `Event ${event.seq} of run ${runId} does not follow the journal, which stands at ${kept.length}. Load the run again.`,
          )
      for (const event of events) kept.push(event)
      if (events[0]?.seq === 1) runs.set(runId, kept)
    },
  }
}
