/** Amounts of what a tree of runs shares. As a bound, an absent one is unbounded; as spending, it is none. */
export type Amounts = {
  /** Input and output tokens, cached ones included. */
  readonly tokens?: number
  readonly calls?: number
  /** US dollars. */
  readonly money?: number
}

export const AMOUNT_NAMES = Object.freeze(['tokens', 'calls', 'money'] as const)
