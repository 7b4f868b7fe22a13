import { isJsonObject, KernelError, type Policy, type PolicyRule } from '@tenon/kernel'

type Takes = { readonly fits: (value: unknown) => boolean; readonly wanted: string }

const oneOf = (...words: readonly string[]): Takes => ({
  fits: (value) => words.includes(value as string),
  wanted: words.map((word) => JSON.stringify(word)).join(', '),
})
const TEXT: Takes = { fits: (value) => typeof value === 'string', wanted: 'a text' }
const DISPOSITION = oneOf('allow', 'ask', 'deny')

const RULE: Readonly<Record<keyof PolicyRule, Takes>> = {
  disposition: DISPOSITION,
  tool: TEXT,
  origin: { fits: isJsonObject, wanted: '{ kind?, name? }' },
  effect: oneOf('pure', 'idempotent', 'once'),
  args: { fits: isJsonObject, wanted: 'an object of JSON pointers' },
  trustAtMost: oneOf('host', 'user', 'vetted', 'untrusted'),
  outward: { fits: (value) => typeof value === 'boolean', wanted: 'true or false' },
  reason: TEXT,
}

const POLICY: Readonly<Record<keyof Policy, Takes>> = {
  rules: { fits: Array.isArray, wanted: 'a list' },
  otherwise: DISPOSITION,
  rememberAtMost: oneOf('call', 'run', 'always'),
  answerWithinMs: { fits: (value) => typeof value === 'number' && value > 0, wanted: 'milliseconds above 0' },
  inDoubt: oneOf('tell-model', 'ask-user'),
}

/**
 * A policy of a program without types. A condition that nobody knows would be no condition, and its rule would hold
 * for every call. @throws KernelError `policy-invalid`
 */
export function checkPolicy(policy: unknown): asserts policy is Policy {
  check('The policy', policy, POLICY, ['rules'])
  for (const [index, rule] of (policy as Policy).rules.entries())
    check(`Rule ${index + 1} of the policy`, rule, RULE, ['disposition'])
}

function check(what: string, value: unknown, table: Readonly<Record<string, Takes>>, needed: readonly string[]): void {
  if (!isJsonObject(value)) throw invalid(`${what} is no object.`)
  const keys = Object.keys(value).filter((key) => value[key] !== undefined)
  for (const key of keys) {
    const takes = Object.hasOwn(table, key) ? table[key] : undefined
    if (!takes) throw invalid(`${what} has no ${JSON.stringify(key)}; it may have: ${Object.keys(table).join(', ')}.`)
    if (!takes.fits(value[key])) throw invalid(`${what} takes for ${JSON.stringify(key)} ${takes.wanted}.`)
  }
  const missing = needed.find((key) => !keys.includes(key))
  if (missing) throw invalid(`${what} needs ${JSON.stringify(missing)}: ${table[missing]?.wanted}.`)
}

const invalid = (message: string): KernelError => new KernelError('policy-invalid', message)
