import { AMOUNT_NAMES, type Amounts } from '../run/amounts.js'
import type { CallState } from '../run/call-state.js'
import type { Limits, Outcome } from '../run/events.js'
import type { RunState } from '../run/state.js'

/** Turns of a run that sets no limit of its own. */
export const DEFAULT_STEPS = 100

/** Which limit another turn would break, in words; undefined if none. */
export function limitReached({ submission, totals, turnCount }: RunState): string | undefined {
  const { steps = DEFAULT_STEPS, tokens, money } = submission.limits
  const { reserved } = totals
  if (turnCount >= steps) return `The run reached its limit of ${steps} steps. Raise limits.steps to let it go on.`
  if (tokens !== undefined && totals.tokens + reserved.tokens >= tokens)
    return `The run used ${totals.tokens} tokens${aside(`${reserved.tokens}`, reserved.tokens)} of its limit of ${tokens}. Raise limits.tokens to let it go on.`
  if (money !== undefined && totals.cost + reserved.money >= money)
    return `The run cost $${totals.cost.toFixed(4)}${aside(`$${reserved.money.toFixed(4)}`, reserved.money)} of its limit of $${money}. Raise limits.money to let it go on.`
  return undefined
}

/** The same for another call. */
export function callLimitReached({ submission, totals }: RunState): string | undefined {
  const { calls } = submission.limits
  if (calls === undefined || totals.calls + totals.reserved.calls < calls) return undefined
  return `The run reached its limit of ${calls} calls. Raise limits.calls to let it go on.`
}

const aside = (said: string, amount: number): string => (amount > 0 ? ` and set ${said} aside for agents at work,` : '')

/** What of the run's limits nobody has used or set aside. */
export function leftOf({ submission: { limits }, totals }: RunState): Amounts {
  const used = { tokens: totals.tokens, calls: totals.calls, money: totals.cost }
  const left: { -readonly [Name in keyof Amounts]: Amounts[Name] } = {}
  for (const name of AMOUNT_NAMES) {
    const limit = limits[name]
    if (limit !== undefined) left[name] = Math.max(0, limit - used[name] - totals.reserved[name])
  }
  return left
}

/** One of so many equal shares; tokens and calls are whole. Undefined where nothing is bounded. */
export function shareOf({ tokens, calls, money }: Amounts, shares: number): Amounts | undefined {
  if (tokens === undefined && calls === undefined && money === undefined) return undefined
  return {
    ...(tokens === undefined ? {} : { tokens: Math.floor(tokens / shares) }),
    ...(calls === undefined ? {} : { calls: Math.floor(calls / shares) }),
    ...(money === undefined ? {} : { money: money / shares }),
  }
}

/** No turn of a model fits into it any more. */
export const isUsedUp = ({ tokens = 1, money = 1 }: Amounts): boolean => tokens < 1 || money <= 0

/** What counts as spent where the hand did not say: nobody knows what was done, so all that was set aside. */
export function unknownSpending(call: CallState, outcome: Outcome): Amounts | undefined {
  return outcome === 'in-doubt' || outcome === 'canceled' ? call.budget : undefined
}

/** The limits, none above the budget. */
export function within(limits: Limits, budget: Amounts): Limits {
  const bounded: { -readonly [Name in keyof Limits]: Limits[Name] } = { ...limits }
  for (const name of AMOUNT_NAMES) {
    const most = budget[name]
    if (most !== undefined) bounded[name] = Math.min(most, limits[name] ?? most)
  }
  return bounded
}
