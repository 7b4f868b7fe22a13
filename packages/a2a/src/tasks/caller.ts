/** Who asks, as the access layer found out. Nothing of it is taken from a request's body. */
export type Caller = {
  /** Empty for somebody who need not say who they are. */
  readonly owner: string
  readonly tenant?: string
  readonly authenticated: boolean
  /** What its token says that it may do; keys say nothing of it. */
  readonly tokenScopes?: readonly string[]
}

export const ANONYMOUS: Caller = Object.freeze({ owner: '', authenticated: false })

/** What principals of those who ask over a network begin with, by whatever protocol they ask. */
export const CLIENT_PRINCIPALS = 'client'

/** The principal of a caller's runs. Two callers, or one under two tenants, never share one. */
export const principalOf = ({ owner, tenant = '' }: Caller): string =>
  `${CLIENT_PRINCIPALS}:${encodeURIComponent(tenant)}:${encodeURIComponent(owner)}`

/** The same for runs that are answered by a message: they are no tasks, and nobody finds them as such. */
export const replyPrincipalOf = ({ owner, tenant = '' }: Caller): string =>
  `${CLIENT_PRINCIPALS}-reply:${encodeURIComponent(tenant)}:${encodeURIComponent(owner)}`
