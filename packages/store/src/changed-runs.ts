import type { ContextId, RunId, RunStateName } from '@tenon/kernel'
import type { Connection, Prepared } from './connection.js'
import type { SqlValue } from './driver.js'
import { StoreError } from './errors.js'
import { allStatesSql, openStatesSql } from './states-sql.js'

/** One owner's runs of one agent; sub-runs are left out. */
export type ChangedRunsFilter = {
  readonly principal: string
  readonly agent: string
  readonly contextId?: ContextId
  readonly state?: RunStateName
  /** Only runs whose state changed at or after this time. */
  readonly since?: number
  /** Where the page before ended. */
  readonly before?: string
  readonly limit: number
}

export type ChangedRunsPage = {
  readonly runs: readonly { readonly runId: RunId; readonly changedAt: number }[]
  /** For `before`. Absent at the end. */
  readonly older?: string
  /** Of all pages. */
  readonly total: number
}

export type ChangedRuns = {
  /** The last changed first. @throws StoreError `cursor-invalid` */
  page(filter: ChangedRunsFilter): ChangedRunsPage
  /** Runs of an owner that have not ended. */
  open(principal: string): number
}

/**
 * Runs in the order of their last change. One index holds everything that is filtered and sorted by; a narrower one
 * counts, where owner, agent and state say it all, because a count reads every entry.
 */
export function changedRuns(connection: Connection): ChangedRuns {
  const statements = new Map<string, Prepared>()
  const prepared = (sql: string): Prepared => {
    const known = statements.get(sql) ?? connection.prepare(sql)
    statements.set(sql, known)
    return known
  }
  const countOpen = connection.prepare<{ n: number }>(
    `SELECT count(*) AS n FROM runs INDEXED BY runs_counted
     WHERE principal = ? AND parent IS NULL AND state IN ${openStatesSql}`,
  )
  return {
    page(filter) {
      const conditions = ['principal = ?', 'agent = ?', 'parent IS NULL']
      const values: SqlValue[] = [filter.principal, filter.agent]
      const where = (condition: string, ...of: readonly SqlValue[]): void => {
        conditions.push(condition)
        values.push(...of)
      }
      if (filter.contextId !== undefined) where('context = ?', filter.contextId)
      if (filter.state !== undefined) where('state = ?', filter.state)
      if (filter.since !== undefined) where('updated >= ?', filter.since)
      const from = `FROM runs INDEXED BY runs_by_change WHERE`
      const isNarrow = filter.contextId === undefined && filter.since === undefined
      const counted = isNarrow ? 'FROM runs INDEXED BY runs_counted WHERE' : from
      const states = isNarrow && filter.state === undefined ? ` AND state IN ${allStatesSql}` : ''
      const total = Number(
        prepared(`SELECT count(*) AS n ${counted} ${conditions.join(' AND ')}${states}`).get(...values)?.n ?? 0,
      )
      if (filter.before !== undefined) where('(updated, key) < (?, ?)', ...placeOf(filter.before))
      const rows = prepared(
        `SELECT id, updated, key ${from} ${conditions.join(' AND ')} ORDER BY updated DESC, key DESC LIMIT ?`,
      ).all(...values, filter.limit + 1)
      const hasMore = rows.length > filter.limit
      if (hasMore) rows.pop()
      const last = rows.at(-1)
      return {
        runs: rows.map((row) => ({ runId: String(row.id) as RunId, changedAt: Number(row.updated) })),
        total,
        ...(hasMore && last !== undefined ? { older: `${last.updated}.${last.key}` } : {}),
      }
    },

    open: (principal) => countOpen.get(principal)?.n ?? 0,
  }
}

function placeOf(cursor: string): readonly [number, number] {
  const found = /^(\d{1,15})\.([1-9]\d{0,14})$/.exec(cursor)
  if (found) return [Number(found[1]), Number(found[2])]
  throw new StoreError('cursor-invalid', 'This cursor is not one that the list gave out. Start from the first page.')
}
