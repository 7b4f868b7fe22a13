/**
 * How far content may be believed. `host`: written by this program or its configuration; `user`: said by the person
 * whose run it is; `vetted`: a source that the configuration trusts; `untrusted`: everything else. Data, never orders.
 */
export type Trust = 'host' | 'user' | 'vetted' | 'untrusted'

const RANK: Readonly<Record<Trust, number>> = { host: 3, user: 2, vetted: 1, untrusted: 0 }

/** Where content came from. It travels with the content into the view and into every decision made on it. */
export type Provenance = {
  readonly source: 'host' | 'user' | 'model' | 'function' | 'mcp' | 'skill' | 'peer' | 'run' | 'file' | 'memory'
  /** The server, file, peer or tool, as the user knows it. */
  readonly name?: string
  readonly trust: Trust
}

export const HOST: Provenance = Object.freeze({ source: 'host', trust: 'host' })
export const USER: Provenance = Object.freeze({ source: 'user', trust: 'user' })

export function leastTrust(a: Trust, b: Trust): Trust {
  return RANK[a] <= RANK[b] ? a : b
}

/** True when `trust` is `limit` or less. */
export function atMost(trust: Trust, limit: Trust): boolean {
  return RANK[trust] <= RANK[limit]
}
