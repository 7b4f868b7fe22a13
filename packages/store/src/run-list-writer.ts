import { type InputRequest, KernelError, plainText, type RunEvent, type RunId, type RunStateName } from '@tenon/kernel'
import type { Connection } from './connection.js'
import type { ListChange } from './list-change.js'

/** What an append needs to know of a run's line in the list. Changed by `update`. */
export type ListedState = { readonly key: number; state: RunStateName; openInputs: number }

const PREVIEW_CHARACTERS = 200

/** Keeps the list of runs and of open requests up, within the transaction of the append. */
export function runListWriter(connection: Connection) {
  const insertRun = connection.prepare<{ key: number }>(
    `INSERT INTO runs (id, agent, goal, context, parent, principal, depth, state, created, updated)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'submitted', ?8, ?8) ON CONFLICT (id) DO NOTHING RETURNING key`,
  )
  // Without `state`: naming it would rewrite its index for every turn.
  const progress = connection.prepare(
    'UPDATE runs SET updated = ?, turns = turns + ?, tokens = tokens + ?, cost = cost + ? WHERE key = ?',
  )
  const transition = connection.prepare(
    `UPDATE runs SET updated = ?, turns = turns + ?, tokens = tokens + ?, cost = cost + ?,
       state = ?, open_inputs = ?, ended = ?, error_code = ? WHERE key = ?`,
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
    add(runId: RunId, event: RunEvent): ListedState | undefined {
      if (event.kind !== 'run-submitted')
        throw new KernelError('journal-unreadable', `A run begins with run-submitted, not with ${event.kind}.`)
      const row = insertRun.get(
        runId,
        event.agent,
        preview(plainText(event.goal.blocks)),
        event.contextId,
        event.parent?.runId ?? null,
        event.principal ?? null,
        event.depth,
        event.at,
      )
      return row === undefined ? undefined : { key: row.key, state: 'submitted', openInputs: 0 }
    },

    update(listed: ListedState, state: RunStateName, change: ListChange | undefined, at: number): void {
      const { key } = listed
      if (change !== undefined) {
        for (const request of change.asked) listed.openInputs += ask(key, request, change.at)
        for (const requestId of change.answered) listed.openInputs -= deleteInput.run(key, requestId)
        if (change.ended !== undefined) {
          deleteInputs.run(key)
          listed.openInputs = 0
        }
      }
      const { turns = 0, tokens = 0, cost = 0, ended } = change ?? {}
      const isSame = state === listed.state && change?.asked.length === 0 && change.answered.length === 0 && !ended
      if (isSame) progress.run(at, turns, tokens, cost, key)
      else
        transition.run(
          at,
          turns,
          tokens,
          cost,
          state,
          listed.openInputs,
          ended?.at ?? null,
          ended?.error?.code ?? null,
          key,
        )
      listed.state = state
    },
  }
}

function preview(goal: string): string {
  const line = goal.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  if (line.length <= PREVIEW_CHARACTERS) return line
  // Cut between characters, not within a surrogate pair.
  return `${Array.from(line.slice(0, PREVIEW_CHARACTERS - 1))
    .filter((c) => !/^[\ud800-\udbff]$/.test(c))
    .join('')}…`
}
