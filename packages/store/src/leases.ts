import type { Leases, RunId } from '@tenon/kernel'
import type { Connection } from './connection.js'
import { isHolderDead } from './process-holder.js'

/** The leases of this store: its methods answer at once. */
export interface SqliteLeases extends Leases {
  acquire(runId: RunId, holder: string, ttlMs: number): boolean
  release(runId: RunId, holder: string): void
}

/**
 * A lease ends when it is released, when its time is over, or at once when its holder is a process of this host that
 * has died (see `processHolder`).
 */
export function sqliteLeases(connection: Connection, released: (runId: RunId) => void): SqliteLeases {
  const take = connection.prepare(
    `INSERT INTO leases (run, holder, until) VALUES (?1, ?2, ?3)
     ON CONFLICT (run) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE holder = excluded.holder OR holder = ?4 OR until <= ?5`,
  )
  const select = connection.prepare<{ holder: string }>('SELECT holder FROM leases WHERE run = ?')
  const free = connection.prepare('DELETE FROM leases WHERE run = ? AND holder = ?')

  return {
    acquire(runId, holder, ttlMs) {
      connection.syncCommits(false)
      const now = Date.now()
      if (take.run(runId, holder, now + ttlMs, null, now) > 0) return true
      const other = select.get(runId)?.holder
      if (other === undefined || !isHolderDead(other)) return false
      // Named, so that of several who found it dead only the first gets it.
      return take.run(runId, holder, now + ttlMs, other, now) > 0
    },

    release(runId, holder) {
      connection.syncCommits(false)
      free.run(runId, holder)
      released(runId)
    },
  }
}
