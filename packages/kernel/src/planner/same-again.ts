import type { CallId } from '../content/ids.js'
import type { TurnState } from '../run/call-state.js'
import type { ScopeState } from '../run/scope-state.js'
import type { RunState } from '../run/state.js'

/** From so many equal turns on the model is told. Two may be a second look. */
const TOLD_AT = 3

/**
 * What to tell a model whose last turns proposed the same calls with the same arguments and were answered the same;
 * undefined where something changed, as it does for whoever asks again until work elsewhere is done. It is a hint and
 * no stop: only limits end a run that goes on like this.
 */
export function sameAgain(run: RunState, scope: ScopeState): string | undefined {
  const last = scope.turns.at(-1)
  if (!last || last.calls.length === 0) return undefined
  for (let back = 2; back <= TOLD_AT; back++) {
    const earlier = scope.turns.at(-back)
    if (!earlier || !isSame(run, last, earlier)) return undefined
  }
  const names = [...new Set(last.calls.map((callId) => run.step(callId).block.name))].join(', ')
  return `The last ${TOLD_AT} turns called ${names} with the same arguments and were answered the same. Calling it again in this way changes nothing: change the arguments, go another way, or give the final answer and say what is missing.`
}

function isSame(run: RunState, one: TurnState, other: TurnState): boolean {
  if (one.calls.length !== other.calls.length) return false
  return one.calls.every((callId, index) => {
    const twin = other.calls[index]
    return twin !== undefined && isSameCall(run, callId, twin)
  })
}

function isSameCall(run: RunState, one: CallId, other: CallId): boolean {
  const step = run.step(one).block
  const twin = run.step(other).block
  if (step.name !== twin.name || !isEqual(step.args, twin.args)) return false
  const seen = run.observation(one)
  const before = run.observation(other)
  return seen.isError === before.isError && isEqual(seen.content, before.content)
}

/** Without writing either out: almost always the first member tells them apart. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const mine = one as Readonly<Record<string, unknown>>
  const theirs = other as Readonly<Record<string, unknown>>
  const keys = Object.keys(mine)
  return keys.length === Object.keys(theirs).length && keys.every((key) => isEqual(mine[key], theirs[key]))
}
