import type { RunState } from '../run/state.js'

/** Turns of a run that sets no limit of its own. */
export const DEFAULT_STEPS = 100

/** Which limit another turn would break, in words; undefined if none. */
export function limitReached({ submission, totals, turnCount }: RunState): string | undefined {
  const { steps = DEFAULT_STEPS, tokens, money } = submission.limits
  if (turnCount >= steps) return `The run reached its limit of ${steps} steps. Raise limits.steps to let it go on.`
  if (tokens !== undefined && totals.tokens >= tokens)
    return `The run used ${totals.tokens} tokens of its limit of ${tokens}. Raise limits.tokens to let it go on.`
  if (money !== undefined && totals.cost >= money)
    return `The run cost $${totals.cost.toFixed(4)} of its limit of $${money}. Raise limits.money to let it go on.`
  return undefined
}

/** The same for another call. */
export function callLimitReached({ submission, totals }: RunState): string | undefined {
  const { calls } = submission.limits
  if (calls === undefined || totals.calls < calls) return undefined
  return `The run reached its limit of ${calls} calls. Raise limits.calls to let it go on.`
}
