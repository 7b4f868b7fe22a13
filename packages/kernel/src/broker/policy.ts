import type { Trust } from '../content/provenance.js'
import type { Effect, Origin } from '../ports/tool.js'
import type { ArgumentPattern, Proposal } from '../run/events.js'

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
 * calls are allowed and everything else asks.
 */
export type Policy = { readonly rules: readonly PolicyRule[]; readonly otherwise?: Disposition }

export type PolicyFacts = { readonly call: Proposal; readonly outward: boolean }

export type Ruling = { readonly disposition: Disposition; readonly reason?: string }
