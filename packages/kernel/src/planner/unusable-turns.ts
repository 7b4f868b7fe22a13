import type { CallId } from '../content/ids.js'
import type { KernelErrorCode } from '../errors/kernel-errors.js'
import type { ScopeState } from '../run/scope-state.js'
import type { RunState } from '../run/state.js'

/** A proposal that never became a call: the model was told why. */
const UNUSABLE: ReadonlySet<string | undefined> = new Set([
  'tool-unknown',
  'tool-name-ambiguous',
  'arguments-invalid',
  'reference-dead',
] satisfies KernelErrorCode[])

/** How many turns in a row, the last one included, proposed nothing that could be called; counts no further than `most`. */
export function unusableInARow(run: RunState, scope: ScopeState, most: number): number {
  let count = 0
  while (count < most) {
    const turn = scope.turns.at(-1 - count)
    if (!turn || turn.calls.length === 0 || !turn.calls.every((callId) => isUnusable(run, callId))) break
    count++
  }
  return count
}

const isUnusable = (run: RunState, callId: CallId): boolean => UNUSABLE.has(run.calls.get(callId)?.error?.code)
