import type { Usage } from '../ports/model.js'
import { AMOUNT_NAMES, type Amounts } from './amounts.js'
import type { CallState } from './call-state.js'

/**
 * Sums over a run's events: what limits are held against and what a run cost. What sub-runs and peers used for it
 * counts in `calls`, `tokens` and `cost`, and is `delegated`; turns, times and the kinds of tokens are the run's own.
 */
export class RunTotals {
  calls = 0
  /** US dollars, of turns and calls. */
  cost = 0
  input = 0
  cachedInput = 0
  cacheWrite = 0
  output = 0
  reasoning = 0
  /** Milliseconds in which the run worked or its tools did; waiting for people does not count. */
  activeMs = 0
  /** Milliseconds parked on a person. */
  waitedMs = 0
  /** Milliseconds that calls took, added up; over `activeMs` this is the parallelism. */
  callMs = 0
  /** The part of `calls`, `tokens` and `cost` that sub-runs and peers used. */
  readonly delegated = { tokens: 0, calls: 0, money: 0 }
  /** What is set aside for calls that have not settled. */
  readonly reserved = { tokens: 0, calls: 0, money: 0 }
  #last = 0

  get tokens(): number {
    return this.input + this.cachedInput + this.cacheWrite + this.output + this.delegated.tokens
  }

  passTime(at: number, parked: boolean): void {
    if (this.#last > 0) {
      const passed = Math.max(0, at - this.#last)
      if (parked) this.waitedMs += passed
      else this.activeMs += passed
    }
    this.#last = at
  }

  /** Between the other run's last event and the fork nobody worked. */
  skipTime(at: number): void {
    this.#last = at
  }

  addTurn(usage: Usage | null, cost: number): void {
    this.cost += cost
    if (!usage) return
    this.input += usage.input
    this.cachedInput += usage.cachedInput
    this.cacheWrite += usage.cacheWrite
    this.output += usage.output
    this.reasoning += usage.reasoning ?? 0
  }

  addCall(call: CallState): void {
    this.cost += call.cost
    this.calls += call.spent?.calls ?? 0
    add(this.delegated, call.spent)
    if (call.beganAt > 0) this.callMs += call.endedAt - call.beganAt
  }

  setAside(budget: Amounts | undefined): void {
    add(this.reserved, budget)
  }

  giveBack(budget: Amounts | undefined): void {
    add(this.reserved, budget, -1)
  }
}

function add(to: Record<(typeof AMOUNT_NAMES)[number], number>, amounts: Amounts | undefined, times = 1): void {
  if (amounts) for (const name of AMOUNT_NAMES) to[name] += times * (amounts[name] ?? 0)
}
