import { type InputRequest, KernelError, plainText, type RunEvent, type RunId, type RunStateName } from '@tenon/kernel'
import type { Connection } from './connection.js'
import type { ListChange } from './list-change.js'

/** Sums over a run's turns and calls. Cost in US dollars. */
export type Totals = { readonly turns: number; readonly tokens: number; readonly cost: number }

/** What an append needs to know of a run's line in the list. Changed by `update`. */
export type ListedState = { readonly key: number; state: RunStateName; openInputs: number }

const PREVIEW_CHARACTERS = 200

/** Keeps the list of runs and of open requests up, within the transaction of the append. */
export function runListWriter(connection: Connection) {
  const insertRun = connection.prepare(
    `INSERT INTO runs (id, agent, goal, context, parent, principal, depth, state, created, updated)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?9, ?9) ON CONFLICT (id) DO NOTHING`,
  )
  const transition = connection.prepare(
    `UPDATE runs SET updated = ?, turns = ?, tokens = ?, cost = ?, state = ?, open_inputs = ?,
       ended = coalesce(?, ended), error_code = coalesce(?, error_code) WHERE key = ?`,
  )
  const insertInput = connection.prepare(
    'INSERT OR IGNORE INTO inputs (run, request, asked, expires, body) VALUES (?, ?, ?, ?, ?)',
  )
  const deleteInput = connection.prepare('DELETE FROM inputs WHERE run = ? AND request = ?')
  const deleteInputs = connection.prepare('DELETE FROM inputs WHERE run = ?')

  function ask(key: number, request: InputRequest, at: number): number {
    return insertInput.run(key, request.requestId, at, request.expiresAt ?? null, JSON.stringify(request))
  }

  return {
    /** Undefined if the run is there already. */
    add(runId: RunId, event: RunEvent, state: RunStateName): ListedState | undefined {
      if (event.kind !== 'run-submitted')
        throw new KernelError('journal-unreadable', `A run begins with run-submitted, not with ${event.kind}.`)
      const key = insertRun.insert(
        runId,
        event.agent,
        preview(plainText(event.goal.blocks)),
        event.contextId,
        event.parent?.runId ?? null,
        event.principal ?? null,
        event.depth,
        state,
        event.at,
      )
      return key === undefined ? undefined : { key, state, openInputs: 0 }
    },

    /** To be called where the state changes, or what is asked. */
    update(listed: ListedState, state: RunStateName, change: ListChange | undefined, totals: Totals, at: number): void {
      const { key } = listed
      for (const request of change?.asked ?? []) listed.openInputs += ask(key, request, at)
      for (const requestId of change?.answered ?? []) listed.openInputs -= deleteInput.run(key, requestId)
      const ended = change?.ended
      if (ended !== undefined && listed.openInputs > 0) {
        deleteInputs.run(key)
        listed.openInputs = 0
      }
      listed.state = state
      const { turns, tokens, cost } = totals
      const errorCode = ended?.error?.code ?? null
      transition.run(at, turns, tokens, cost, state, listed.openInputs, ended?.at ?? null, errorCode, key)
    },
  }
}

function preview(goal: string): string {
  const line = goal.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  if (line.length <= PREVIEW_CHARACTERS) return line
  // Cut between characters, not within a surrogate pair.
  return `${line.slice(0, PREVIEW_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
