import type { JsonObject } from '../content/json.js'
import type { Trust } from '../content/provenance.js'
import { atMost } from '../content/provenance.js'
import type { Effect, Origin } from '../ports/tool.js'
import type { Proposal } from '../run/events.js'
import type { ArgumentPattern } from './argument-pattern.js'
import { matchesArguments, matchesText } from './argument-pattern.js'

export type Disposition = 'allow' | 'ask' | 'deny'

/** One line of a policy. Every condition that is given must hold; a rule without conditions always does. */
export type PolicyRule = {
  readonly disposition: Disposition
  /** Tool name; `*` stands for any run of characters. */
  readonly tool?: string
  readonly origin?: { readonly kind?: Origin['kind']; readonly name?: string }
  readonly effect?: Effect
  readonly args?: ArgumentPattern
  /** Holds once something of this trust or less is in the view or in the arguments. */
  readonly trustAtMost?: Trust
  /** Only tools that reach out of the workspace. */
  readonly outward?: boolean
  /** Shown to the person who is asked, and to the model on a denial. */
  readonly reason?: string
}

/**
 * Any matching `deny` wins; else the first rule that matches; else `otherwise`. Where `otherwise` is absent, `pure`
 * calls are allowed, unless they reach out while untrusted text is in the view; everything else asks.
 */
export type Policy = {
  readonly rules: readonly PolicyRule[]
  readonly otherwise?: Disposition
  /** How long a person may let a consent hold. `always` if absent. */
  readonly rememberAtMost?: 'call' | 'run' | 'always'
  /** Milliseconds after which a request for consent that nobody answered counts as declined. Never if absent. */
  readonly answerWithinMs?: number
  /** Who hears first that a call is in doubt: the model (the default), or a person who may know better. */
  readonly inDoubt?: 'tell-model' | 'ask-user'
}

export type Ruling = { readonly disposition: Disposition; readonly reason?: string }

/** What the policy says of a call with these arguments. */
export function rule(policy: Policy, call: Proposal, args: JsonObject, outward: boolean): Ruling {
  let first: PolicyRule | undefined
  for (const candidate of policy.rules) {
    if (!matches(candidate, call, args, outward)) continue
    if (candidate.disposition === 'deny') return candidate
    first ??= candidate
  }
  if (first) return first
  if (policy.otherwise) return { disposition: policy.otherwise }
  if (call.effect !== 'pure') return { disposition: 'ask' }
  if (!outward || !atMost(call.provenance.trust, 'untrusted')) return { disposition: 'allow' }
  return { disposition: 'ask', reason: 'it reaches out while untrusted text is in the context' }
}

function matches(candidate: PolicyRule, call: Proposal, args: JsonObject, outward: boolean): boolean {
  const { origin } = candidate
  return (
    (candidate.tool === undefined || matchesText(candidate.tool, call.tool)) &&
    (origin?.kind === undefined || origin.kind === call.origin?.kind) &&
    (origin?.name === undefined || (call.origin !== null && matchesText(origin.name, call.origin.name))) &&
    (candidate.effect === undefined || candidate.effect === call.effect) &&
    (candidate.outward === undefined || candidate.outward === outward) &&
    (candidate.trustAtMost === undefined || atMost(call.provenance.trust, candidate.trustAtMost)) &&
    (candidate.args === undefined || matchesArguments(candidate.args, args))
  )
}
