import type { ContextId, InputRequest, RunId, RunStateName } from '@tenon/kernel'
import type { Connection, Prepared } from './connection.js'
import type { SqlValue } from './driver.js'
import { StoreError } from './errors.js'
import { lastPlaceSql } from './journal-place.js'
import { isHolderDead } from './process-holder.js'
import { openStatesSql } from './states-sql.js'

/** A run as a list shows it. Times are epoch milliseconds. */
export type RunSummary = {
  readonly runId: RunId
  readonly agent: string
  /** The first 200 characters of the goal, on one line. */
  readonly goal: string
  readonly state: RunStateName
  readonly contextId: ContextId
  readonly parent: RunId | undefined
  readonly principal: string | undefined
  /** When the state, or what is asked, changed last. */
  readonly changedAt: number
  /** 0 for a run of its own, 1 for its sub-runs. */
  readonly depth: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly endedAt: number | undefined
  /** Turns that have ended. */
  readonly turns: number
  /** Of all turns, cached ones included. */
  readonly tokens: number
  /** US dollars. */
  readonly cost: number
  readonly openInputs: number
  readonly errorCode: string | undefined
}

export type RunFilter = {
  readonly state?: RunStateName | readonly RunStateName[]
  readonly agent?: string
  readonly contextId?: ContextId
  readonly principal?: string
  /** The sub-runs of this run; `null` for runs that have no parent. */
  readonly parent?: RunId | null
  /** Only runs that are older than a page's last one, or newer than its first one. */
  readonly before?: string
  readonly after?: string
  /** 100 if absent. */
  readonly limit?: number
}

/** Newest first. */
export type RunPage = {
  readonly runs: readonly RunSummary[]
  /** For `before`: where the next page goes on. Absent at the end. */
  readonly older?: string
  /** For `after`: to ask later what came since. Absent on an empty page. */
  readonly newer?: string
}

/** A question that some run waits on. */
export type OpenRequest = {
  readonly runId: RunId
  readonly agent: string
  readonly goal: string
  readonly askedAt: number
  readonly request: InputRequest
}

/** A run that has not ended and that nobody drives. */
export type UnfinishedRun = RunSummary & {
  /** It waits for people only, was left in good order, and nothing has come for it: it may stay where it is. */
  readonly parked: boolean
}

export type RunList = {
  /** @throws StoreError `cursor-invalid` */
  list(filter?: RunFilter): RunPage
  get(runId: RunId): RunSummary | undefined
  /** Open requests of all runs, the oldest first; at most `limit` (1,000). */
  openInputs(filter?: {
    readonly runId?: RunId
    readonly principal?: string
    readonly limit?: number
  }): readonly OpenRequest[]
  /** What to take up after a restart, the oldest first. */
  unfinished(): readonly UnfinishedRun[]
}

/** A line of the table, in the order of `COLUMNS`. */
type RunColumns = readonly [
  key: number,
  id: RunId,
  agent: string,
  goal: string,
  state: RunStateName,
  context: ContextId,
  parent: RunId | null,
  principal: string | null,
  depth: number,
  created: number,
  updated: number,
  ended: number | null,
  turns: number,
  tokens: number,
  cost: number,
  openInputs: number,
  errorCode: string | null,
  changed: number,
]

const COLUMNS = `run.key, run.id, run.agent, run.goal, run.state, run.context, run.parent, run.principal, run.depth,
  run.created, coalesce(tip.at, run.updated), run.ended, coalesce(tip.turns, run.turns),
  coalesce(tip.tokens, run.tokens), coalesce(tip.cost, run.cost), run.open_inputs, run.error_code, run.updated`

/**
 * Rows as one JSON text: through the driver, value by value, ten thousand rows take more than twice as long. The order
 * of `rows` is kept as long as it has a LIMIT. What a run at work has used stands in its last row of the journal
 * (`CASE`, for with `AND` that row would be sought for every run).
 */
const asJson = (rows: string, columns: string = COLUMNS) =>
  `SELECT json_group_array(json_array(${columns})) AS page FROM (${rows}) AS run
   LEFT JOIN journal AS tip
     ON tip.place = CASE WHEN run.state IN ('submitted', 'working') THEN ${lastPlaceSql('run.key')} END`

type Page = { readonly page: string }
const NO_LIMIT = -1

export function runList(connection: Connection): RunList {
  const statements = new Map<string, Prepared<Page>>()
  const selectOne = connection.prepare<Page>(asJson('SELECT * FROM runs WHERE id = ? LIMIT 1'))
  const selectInputs = connection.prepare<{ id: string; agent: string; goal: string; asked: number; body: string }>(
    `SELECT runs.id, runs.agent, runs.goal, inputs.asked, inputs.body FROM inputs JOIN runs ON runs.key = inputs.run
     WHERE (?1 IS NULL OR runs.id = ?1) AND (?3 IS NULL OR runs.principal = ?3) ORDER BY inputs.asked, inputs.run, inputs.request LIMIT ?2`,
  )
  const selectUnfinished = connection.prepare<Page>(
    asJson(
      `SELECT runs.*, leases.holder AS holder, leases.until AS until,
         EXISTS (SELECT 1 FROM inbox WHERE inbox.run = runs.id)
           OR EXISTS (SELECT 1 FROM inputs WHERE inputs.run = runs.key AND inputs.expires <= ?) AS called
       FROM runs LEFT JOIN leases ON leases.run = runs.id WHERE runs.state IN ${openStatesSql} ORDER BY runs.key LIMIT ${NO_LIMIT}`,
      `json_array(${COLUMNS}), run.holder, run.until, run.called`,
    ),
  )

  function statement(conditions: readonly string[], order: 'ASC' | 'DESC'): Prepared<Page> {
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    const sql = asJson(`SELECT * FROM runs ${where} ORDER BY key ${order} LIMIT ?`)
    const known = statements.get(sql) ?? connection.prepare<Page>(sql)
    statements.set(sql, known)
    return known
  }

  return {
    list(filter = {}) {
      const limit = filter.limit ?? 100
      const conditions: string[] = []
      const values: SqlValue[] = []
      const where = (condition: string, ...of: readonly SqlValue[]) => {
        conditions.push(condition)
        values.push(...of)
      }
      const states = typeof filter.state === 'string' ? [filter.state] : filter.state
      if (states) where(`state IN (${states.map(() => '?').join(', ')})`, ...states)
      if (filter.agent !== undefined) where('agent = ?', filter.agent)
      if (filter.contextId !== undefined) where('context = ?', filter.contextId)
      if (filter.principal !== undefined) where('principal = ?', filter.principal)
      if (filter.parent === null) where('parent IS NULL')
      else if (filter.parent !== undefined) where('parent = ?', filter.parent)
      if (filter.before !== undefined) where('key < ?', keyOf(filter.before))
      if (filter.after !== undefined) where('key > ?', keyOf(filter.after))
      // What came after a page is read from that page on, so that a limit leaves no gap between them.
      const isForward = filter.after !== undefined && filter.before === undefined
      const rows = rowsOf<RunColumns>(statement(conditions, isForward ? 'ASC' : 'DESC').get(...values, limit + 1))
      const hasMore = rows.length > limit
      if (hasMore) rows.pop()
      if (isForward) rows.reverse()
      const first = rows[0]
      const last = rows.at(-1)
      return {
        runs: rows.map(summary),
        ...(last !== undefined && (hasMore || isForward) ? { older: String(last[0]) } : {}),
        ...(first === undefined ? {} : { newer: String(first[0]) }),
      }
    },

    get(runId) {
      const [row] = rowsOf<RunColumns>(selectOne.get(runId))
      return row && summary(row)
    },

    openInputs: ({ runId, principal, limit = 1000 } = {}) =>
      selectInputs.all(runId ?? null, limit, principal ?? null).map(({ id, agent, goal, asked, body }) => ({
        runId: id as RunId,
        agent,
        goal,
        askedAt: asked,
        request: JSON.parse(body) as InputRequest,
      })),

    unfinished() {
      const now = Date.now()
      const alive = new Map<string, boolean>()
      const isAlive = (holder: string): boolean => {
        const known = alive.get(holder) ?? !isHolderDead(holder)
        alive.set(holder, known)
        return known
      }
      type Row = readonly [run: RunColumns, holder: string | null, until: number | null, called: number]
      const found: UnfinishedRun[] = []
      for (const [run, holder, until, called] of rowsOf<Row>(selectUnfinished.get(now))) {
        if (holder !== null && (until ?? 0) > now && isAlive(holder)) continue
        const line = summary(run)
        const waits = line.state === 'input-required' || line.state === 'auth-required'
        // A lease that was not released belongs to a driver that died in the middle of something.
        found.push({ ...line, parked: waits && holder === null && called === 0 })
      }
      return found
    },
  }
}

const rowsOf = <Row>(page: Page | undefined): Row[] => JSON.parse(page?.page ?? '[]') as Row[]

function summary(row: RunColumns): RunSummary {
  return {
    runId: row[1],
    agent: row[2],
    goal: row[3],
    state: row[4],
    contextId: row[5],
    parent: row[6] ?? undefined,
    principal: row[7] ?? undefined,
    depth: row[8],
    createdAt: row[9],
    updatedAt: row[10],
    endedAt: row[11] ?? undefined,
    turns: row[12],
    tokens: row[13],
    cost: row[14],
    openInputs: row[15],
    errorCode: row[16] ?? undefined,
    changedAt: row[17],
  }
}

function keyOf(cursor: string): number {
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor)
  throw new StoreError(
    'cursor-invalid',
    'This cursor is not one that the run list gave out. Start from the first page.',
  )
}
