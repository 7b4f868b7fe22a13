import type { Journal } from '@tenon/kernel'
import type { Connection } from './connection.js'
import type { SqliteJournal } from './journal.js'
import type { SqliteLeases } from './leases.js'

/** A new run and its lease in one commit. */
export function beginRun(
  connection: Connection,
  journal: SqliteJournal,
  leases: SqliteLeases,
): NonNullable<Journal['begin']> {
  return (runId, events, { holder, ttlMs }, sync) => {
    // How a commit is synced cannot be changed within a transaction.
    connection.syncCommits(sync)
    connection.transaction(() => {
      leases.acquire(runId, holder, ttlMs)
      journal.append(runId, events, sync)
    })
  }
}
