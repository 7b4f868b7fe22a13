import type { RunId } from '../content/ids.js'
import type { Clock } from '../ports/clock.js'
import type { Leases } from '../ports/journal.js'

/** Leases within one process. */
export function memoryLeases(clock: Pick<Clock, 'now'> = { now: Date.now }): Leases {
  const leases = new Map<RunId, { readonly holder: string; readonly until: number }>()
  return {
    acquire(runId, holder, ttlMs) {
      const now = clock.now()
      const lease = leases.get(runId)
      if (lease !== undefined && lease.holder !== holder && lease.until > now) return false
      leases.set(runId, { holder, until: now + ttlMs })
      return true
    },

    release(runId, holder) {
      if (leases.get(runId)?.holder === holder) leases.delete(runId)
    },
  }
}
