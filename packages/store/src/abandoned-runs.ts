import type { RunId } from '@tenon/kernel'
import type { Connection } from './connection.js'
import { isHolderDead } from './process-holder.js'

/**
 * Runs with work to do that nobody drives, of owners whose name begins with `prefix`. Parked runs cost nothing here,
 * however many there are: it reads runs at work, leases and the inbox only.
 */
export function abandonedRuns(connection: Connection): (prefix: string) => readonly RunId[] {
  const select = connection.prepare<{ id: string; holder: string | null; until: number | null }>(
    `SELECT runs.id AS id, leases.holder AS holder, leases.until AS until
     FROM (
       SELECT id FROM runs WHERE state IN ('submitted', 'working')
       UNION SELECT run FROM leases
       UNION SELECT run FROM inbox
     ) AS busy
     JOIN runs ON runs.id = busy.id LEFT JOIN leases ON leases.run = runs.id
     WHERE runs.ended IS NULL AND substr(runs.principal, 1, length(?1)) = ?1 ORDER BY runs.key`,
  )
  return (prefix) => {
    const now = Date.now()
    const dead = new Map<string, boolean>()
    const found: RunId[] = []
    for (const { id, holder, until } of select.all(prefix)) {
      if (holder !== null && (until ?? 0) > now) {
        const isDead = dead.get(holder) ?? isHolderDead(holder)
        dead.set(holder, isDead)
        if (!isDead) continue
      }
      found.push(id as RunId)
    }
    return found
  }
}
