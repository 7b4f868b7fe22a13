import type { Usage } from '../ports/model.js'
import { AMOUNT_NAMES, type Amounts } from './amounts.js'

/** More than anything really uses; sums of it are still exact. */
const MOST = 1e12

/**
 * What a model says that it used, as counts that a sum and a store can hold: whole, finite and never less than none. A
 * fraction or a negative number of a provider must not end a run, nor lift its limits.
 */
export function soundUsage(told: Usage): Usage {
  const { input, cachedInput, cacheWrite, cacheWrite1h, output, reasoning } = told
  if (isCount(input) && isCount(cachedInput) && isCount(cacheWrite) && isCount(output) && isCount(reasoning ?? 0))
    return told
  return {
    input: count(input),
    cachedInput: count(cachedInput),
    cacheWrite: count(cacheWrite),
    ...(cacheWrite1h === undefined ? {} : { cacheWrite1h: count(cacheWrite1h) }),
    output: count(output),
    reasoning: reasoning === null ? null : count(reasoning),
  }
}

/** The same of what a sub-run, a peer or a tool says. */
export function soundAmounts(told: Amounts): Amounts {
  const sound: { -readonly [Name in keyof Amounts]: Amounts[Name] } = {}
  for (const name of AMOUNT_NAMES) {
    const amount = told[name]
    if (amount !== undefined) sound[name] = name === 'money' ? soundMoney(amount) : count(amount)
  }
  return sound
}

export const soundMoney = (told: number): number => (told > 0 ? Math.min(told, MOST) : 0)

const isCount = (told: number): boolean => Number.isInteger(told) && told >= 0 && told <= MOST

const count = (told: number): number => (told > 0 ? Math.min(Math.round(told), MOST) : 0)
