import type { RunId } from '@tenon/kernel'
import type { Connection } from './connection.js'
import type { SqlRow } from './driver.js'
import { lastPlaceSql } from './journal-place.js'

/** How far a target has been told of its run: everything up to and with part `part` of event `seq`. */
export type PushPlace = { readonly seq: number; readonly part: number }

/** The part of a place where all of its event was told. */
export const ALL_PARTS = 1_000_000

/**
 * Somebody who wants to be told what a run does. The journal is the outbox: a target is a cursor over it, so nothing
 * can be lost between an event and its delivery.
 */
export type PushTarget = PushPlace & {
  readonly runId: RunId
  readonly id: string
  /** The owner's own words about it; secrets in it are sealed by whoever puts them. */
  readonly body: string
  /** Groups targets for limits. */
  readonly host: string
  /** Failed attempts at the next delivery. */
  readonly attempts: number
}

/** A delivery that was given up. */
export type DeadPush = PushPlace & {
  readonly number: number
  readonly runId: RunId
  readonly target: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly reason: string
}

export type PushTargets = {
  /** Replaces one with the same id; it is told what comes after event `seq`. */
  put(target: { runId: RunId; id: string; body: string; host: string; seq: number }): void
  get(runId: RunId, id: string): PushTarget | undefined
  /** In the order in which they were put. */
  list(runId: RunId): readonly PushTarget[]
  /** Harmless when it is not there. */
  remove(runId: RunId, id: string): void
  /** Targets that have something to be told now, the longest waiting first. */
  due(now: number, limit: number): readonly PushTarget[]
  /** `done`: there will be nothing more. */
  advance(runId: RunId, id: string, place: PushPlace, done: boolean): void
  /** The attempt failed; the next one is at `due`. */
  defer(runId: RunId, id: string, due: number): void
  /** Gives up on one delivery and goes on with the next. */
  bury(runId: RunId, id: string, place: PushPlace, reason: string): void
  /** Puts back what was taken out, with why it failed again. */
  rebury(dead: DeadPush, reason: string): void
  dead(runId?: RunId): readonly DeadPush[]
  /** Takes a given-up delivery out of the list, to be tried by whoever asked. */
  takeDead(number: number): DeadPush | undefined
}

const COLUMNS = 'run, id, body, host, seq, part, attempts'

export function pushTargets(connection: Connection): PushTargets {
  const insert = connection.prepare(
    `INSERT INTO push_targets (run, id, body, host, seq, part) VALUES (?, ?, ?, ?, ?, ${ALL_PARTS})
     ON CONFLICT (run, id) DO UPDATE SET body = excluded.body, host = excluded.host, attempts = 0, due = 0`,
  )
  const selectOne = connection.prepare(`SELECT ${COLUMNS} FROM push_targets WHERE run = ? AND id = ?`)
  const selectAll = connection.prepare(`SELECT ${COLUMNS} FROM push_targets WHERE run = ? ORDER BY number`)
  const deleteOne = connection.prepare('DELETE FROM push_targets WHERE run = ? AND id = ?')
  const selectDue = connection.prepare(
    `SELECT ${COLUMNS.replace('id', 'target.id')} FROM push_targets AS target JOIN runs ON runs.id = target.run
     WHERE done = 0 AND due <= ?
       AND (part < ${ALL_PARTS} OR seq < (SELECT last FROM journal WHERE place = ${lastPlaceSql('runs.key')}))
     ORDER BY due, number LIMIT ?`,
  )
  const move = connection.prepare(
    'UPDATE push_targets SET seq = ?, part = ?, done = ?, attempts = 0, due = 0 WHERE run = ? AND id = ?',
  )
  const postpone = connection.prepare(
    'UPDATE push_targets SET attempts = attempts + 1, due = ? WHERE run = ? AND id = ?',
  )
  const insertDead = connection.prepare(
    'INSERT INTO push_dead (run, target, seq, part, at, reason) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const selectDead = connection.prepare('SELECT * FROM push_dead WHERE ?1 IS NULL OR run = ?1 ORDER BY number')
  const deleteDead = connection.prepare('DELETE FROM push_dead WHERE number = ? RETURNING *')
  return {
    put: ({ runId, id, body, host, seq }) => void insert.run(runId, id, body, host, seq),
    get(runId, id) {
      const row = selectOne.get(runId, id)
      return row && targetOf(row)
    },
    list: (runId) => selectAll.all(runId).map(targetOf),
    remove: (runId, id) => void deleteOne.run(runId, id),
    due: (now, limit) => selectDue.all(now, limit).map(targetOf),
    advance: (runId, id, { seq, part }, done) => void move.run(seq, part, done ? 1 : 0, runId, id),
    defer: (runId, id, due) => void postpone.run(due, runId, id),
    bury(runId, id, { seq, part }, reason) {
      connection.transaction(() => {
        insertDead.run(runId, id, seq, part, Date.now(), reason)
        move.run(seq, part, 0, runId, id)
      })
    },
    rebury: ({ runId, target, seq, part }, reason) => void insertDead.run(runId, target, seq, part, Date.now(), reason),
    dead: (runId) => selectDead.all(runId ?? null).map(deadOf),
    takeDead(number) {
      const row = deleteDead.get(number)
      return row && deadOf(row)
    },
  }
}

const targetOf = (row: SqlRow): PushTarget => ({
  runId: String(row.run) as RunId,
  id: String(row.id),
  body: String(row.body),
  host: String(row.host),
  seq: Number(row.seq),
  part: Number(row.part),
  attempts: Number(row.attempts),
})

const deadOf = (row: SqlRow): DeadPush => ({
  number: Number(row.number),
  runId: String(row.run) as RunId,
  target: String(row.target),
  seq: Number(row.seq),
  part: Number(row.part),
  at: Number(row.at),
  reason: String(row.reason),
})
