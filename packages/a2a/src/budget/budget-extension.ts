import { type Amounts, isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { invalid } from '../tasks/invalid-field.js'

/**
 * An extension of A2A (spec 4.6). A message's metadata has under this URI what the work may use:
 * `{ tokens?, money?: { amount, currency }, deadline? }`. The metadata of the task, and of the status that ends it, has
 * there what it used: `{ spent: { tokens, money } }`. Money is in US dollars, the deadline in ISO 8601.
 */
export const BUDGET_EXTENSION = 'urn:tenon:a2a:budget:1'

/** How an agent that keeps to budgets declares it in its card. */
export const BUDGET_DECLARATION = Object.freeze({
  uri: BUDGET_EXTENSION,
  description: 'Keeps to the tokens, the money and the deadline that a message names, and tells what a task used.',
  params: Object.freeze({ currency: 'USD' }),
})

export type Budget = {
  readonly tokens?: number
  /** US dollars. */
  readonly money?: number
  /** Epoch milliseconds. */
  readonly deadline?: number
}

/** What a message carries; an empty budget asks for nothing but to be told what was used. */
export function budgetMetadata({ tokens, money, deadline }: Budget): JsonObject {
  return {
    [BUDGET_EXTENSION]: {
      ...(tokens === undefined ? {} : { tokens }),
      ...(money === undefined ? {} : { money: dollars(money) }),
      ...(deadline === undefined ? {} : { deadline: new Date(deadline).toISOString() }),
    },
  }
}

/** The budget of a message; undefined where it names none. @throws A2AError for one that cannot be kept to */
export function readBudget(metadata: JsonObject | undefined): Budget | undefined {
  const json = metadata?.[BUDGET_EXTENSION]
  if (json === undefined) return undefined
  if (!isJsonObject(json)) throw invalid(FIELD, 'is no budget')
  const { tokens, money, deadline } = json
  if (tokens !== undefined && !isAmount(tokens)) throw invalid(`${FIELD}.tokens`, 'is not a number of tokens')
  if (deadline !== undefined && Number.isNaN(timeOf(deadline))) throw invalid(`${FIELD}.deadline`, 'is not a time')
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(money === undefined ? {} : { money: moneyOf(money) }),
    ...(deadline === undefined ? {} : { deadline: timeOf(deadline) }),
  }
}

/** What a task used, for whoever gave it a budget. */
export function spendingMetadata({ tokens = 0, money = 0 }: Amounts): JsonObject {
  return { [BUDGET_EXTENSION]: { spent: { tokens, money: dollars(money) } } }
}

/** What a peer says that a task used; undefined where it says nothing of use. */
export function readSpending(metadata: Json | undefined): Amounts | undefined {
  const json = isJsonObject(metadata) ? metadata[BUDGET_EXTENSION] : undefined
  if (!isJsonObject(json) || !isJsonObject(json.spent)) return undefined
  const { tokens, money } = json.spent
  const amount = isJsonObject(money) && money.currency === 'USD' ? money.amount : undefined
  return {
    ...(isAmount(tokens) ? { tokens } : {}),
    ...(isAmount(amount) ? { money: amount } : {}),
  }
}

const FIELD = `message.metadata["${BUDGET_EXTENSION}"]`

const dollars = (amount: number): JsonObject => ({ amount, currency: 'USD' })

const isAmount = (value: Json | undefined): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER

const timeOf = (value: Json): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN)

function moneyOf(money: Json): number {
  if (!isJsonObject(money) || !isAmount(money.amount)) throw invalid(`${FIELD}.money`, 'is not an amount of money')
  if (money.currency !== 'USD') throw invalid(`${FIELD}.money.currency`, 'is not USD, the only one that is counted')
  return money.amount
}
