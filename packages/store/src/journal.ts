import { type Journal, KernelError, type RunEvent, type RunId } from '@tenon/kernel'
import { Activity } from './activity.js'
import type { Connection } from './connection.js'
import { journalPlace, lastPlaceSql } from './journal-place.js'
import { type ListChange, listChange } from './list-change.js'
import { type ListedState, runListWriter, type Totals } from './run-list-writer.js'

/** Runs whose end is remembered; the others are looked up again. */
const MOST_TAILS = 2_000

/** Events a row: a reader that wants one of them reads its row. */
const MOST_A_ROW = 500

/** Where a run's journal ends, as far as this process knows. */
type Tail = ListedState & {
  last: number
  totals: Totals
  /** Absent until the run asks something: only then does the list need it. */
  activity: Activity | undefined
}

/** The journal of this store, with what only the store itself needs. */
export interface SqliteJournal extends Journal {
  load(runId: RunId, after?: number, limit?: number): readonly RunEvent[]
  append(runId: RunId, events: readonly RunEvent[], sync: boolean): void
  /** The run is driven elsewhere or not at all from now on: it costs no memory here. */
  forget(runId: RunId): void
}

export function sqliteJournal(connection: Connection): SqliteJournal {
  const tails = new Map<RunId, Tail>()
  const list = runListWriter(connection)
  const insert = connection.prepare(
    'INSERT OR IGNORE INTO journal (place, last, at, turns, tokens, cost, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const freeLease = connection.prepare('DELETE FROM leases WHERE run = ?')
  const selectKey = connection.prepare<{ key: number }>('SELECT key FROM runs WHERE id = ?')
  const selectTail = connection.prepare<Totals & Omit<ListedState, 'openInputs'> & { open: number; last: number }>(
    `SELECT run.key, run.state, run.open_inputs AS open, tip.last, tip.turns, tip.tokens, tip.cost
     FROM runs AS run JOIN journal AS tip ON tip.place = ${lastPlaceSql('run.key')} WHERE run.id = ?`,
  )
  // The row that holds the first event wanted may begin before it; one that begins after the last is not read.
  const selectBodies = connection.prepare<{ body: string }>(
    `SELECT body FROM journal
     WHERE place >= coalesce((SELECT max(place) FROM journal WHERE place BETWEEN ?1 AND ?2), ?1) AND place < ?3 AND last > ?4
     ORDER BY place`,
  )

  function lookUp(runId: RunId): Tail | undefined {
    const row = selectTail.get(runId)
    if (row === undefined) return undefined
    const { key, state, open: openInputs, last, turns, tokens, cost } = row
    return remember(runId, { key, state, openInputs, last, totals: { turns, tokens, cost }, activity: undefined })
  }

  function remember(runId: RunId, tail: Tail): Tail {
    tails.set(runId, tail)
    if (tails.size > MOST_TAILS) for (const oldest of tails.keys()) if (tails.delete(oldest)) break
    return tail
  }

  function read(key: number, after: number, limit: number): RunEvent[] {
    const rows = selectBodies.all(
      journalPlace(key, 0),
      journalPlace(key, after + 1),
      Math.min(journalPlace(key + 1, 0), journalPlace(key, after + limit + 1)),
      after,
    )
    const events: RunEvent[] = []
    for (const { body } of rows)
      for (const event of parse(body)) if (event.seq > after && events.length < limit) events.push(event)
    return events
  }

  /** The state after `events`, as the kernel's fold would have it. */
  function stateAfter(tail: Tail, events: readonly RunEvent[], change: ListChange | undefined): ListedState['state'] {
    if (isTerminal(tail.state)) return tail.state
    const asks = change !== undefined && change.asked.length > 0
    if (tail.activity === undefined && (asks || tail.openInputs > 0))
      tail.activity = Activity.of(read(tail.key, 0, Infinity))
    if (tail.activity === undefined) {
      if (change?.ended !== undefined) return change.ended.state
      const isUntouched = tail.state === 'submitted' && !events.some(isTurn)
      return isUntouched ? 'submitted' : 'working'
    }
    for (const event of events) tail.activity.apply(event)
    return tail.activity.state
  }

  function write(runId: RunId, tail: Tail, events: readonly RunEvent[]): void {
    if (events.length <= MOST_A_ROW) {
      writeRow(runId, tail, events)
      return
    }
    connection.transaction(() => {
      for (let from = 0; from < events.length; from += MOST_A_ROW)
        writeRow(runId, tail, events.slice(from, from + MOST_A_ROW))
    })
  }

  function writeRow(runId: RunId, tail: Tail, events: readonly RunEvent[]): void {
    const first = events[0]
    const last = events.at(-1)
    if (first === undefined || last === undefined) return
    const body = JSON.stringify(events)
    const change = listChange(events)
    const state = stateAfter(tail, events, change)
    const totals = change === undefined ? tail.totals : sum(tail.totals, change)
    const insertRow = () => {
      const { turns, tokens, cost } = totals
      const place = journalPlace(tail.key, first.seq)
      if (insert.run(place, last.seq, last.at, turns, tokens, cost, body) === 0) throw conflict(first, tail.last)
    }
    if (state === tail.state && !isAboutInput(change)) insertRow()
    else
      connection.transaction(() => {
        insertRow()
        list.update(tail, state, change, totals, last.at)
        // A run that has ended needs nobody; freed here it costs no commit of its own.
        if (change?.ended !== undefined) freeLease.run(runId)
      })
    tail.last = last.seq
    tail.totals = totals
  }

  return {
    load(runId, after = 0, limit = Infinity) {
      const key = tails.get(runId)?.key ?? selectKey.get(runId)?.key
      return key === undefined ? [] : read(key, after, limit)
    },

    append(runId, events, sync) {
      const first = events[0]
      const last = events.at(-1)
      if (first === undefined || last === undefined) return
      let seq = first.seq
      for (const event of events) if (event.seq !== seq++) throw conflict(event, seq - 2)
      connection.syncCommits(sync)
      try {
        if (first.seq === 1)
          connection.transaction(() => {
            // Mostly its state from here on, so that the line need not be changed at once.
            const added = list.add(runId, first, events.some(isTurn) ? 'working' : 'submitted')
            if (added === undefined) throw conflict(first, lookUp(runId)?.last ?? 0)
            write(runId, remember(runId, { ...added, last: 0, totals: NOTHING, activity: undefined }), events)
          })
        else {
          const known = tails.get(runId)
          const tail = known?.last === first.seq - 1 ? known : lookUp(runId)
          if (tail?.last !== first.seq - 1) throw conflict(first, tail?.last ?? 0)
          write(runId, tail, events)
        }
      } catch (thrown) {
        tails.delete(runId)
        throw thrown
      }
      if (last.kind === 'run-ended') tails.delete(runId)
    },

    forget: (runId) => void tails.delete(runId),
  }
}

const NOTHING: Totals = { turns: 0, tokens: 0, cost: 0 }

const sum = (a: Totals, b: Totals): Totals => ({
  turns: a.turns + b.turns,
  tokens: a.tokens + b.tokens,
  cost: a.cost + b.cost,
})

const isAboutInput = (change: ListChange | undefined): boolean =>
  change !== undefined && (change.asked.length > 0 || change.answered.length > 0)

const isTurn = ({ kind }: RunEvent): boolean => kind === 'turn-began'

const isTerminal = (state: ListedState['state']): boolean =>
  state === 'completed' || state === 'failed' || state === 'canceled' || state === 'rejected'

function parse(body: string): readonly RunEvent[] {
  try {
    return JSON.parse(body) as readonly RunEvent[]
  } catch (cause) {
    throw new KernelError('journal-unreadable', 'A part of the journal is no JSON. Restore the last backup.', { cause })
  }
}

const conflict = (event: RunEvent, last: number): KernelError =>
  new KernelError(
    'journal-conflict',
    `Event ${event.seq} does not follow the journal, which stands at ${last}: another process drives this run. Load the run again.`,
  )
