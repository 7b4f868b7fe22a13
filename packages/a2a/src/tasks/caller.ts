/** Who asks, as the access layer found out. Nothing of it is taken from a request's body. */
export type Caller = {
  /** Empty for somebody who need not say who they are. */
  readonly owner: string
  readonly tenant?: string
  readonly authenticated: boolean
}

export const ANONYMOUS: Caller = Object.freeze({ owner: '', authenticated: false })

/** What principals of A2A callers begin with. */
export const A2A_PRINCIPALS = 'a2a'

/** The principal of a caller's runs. Two callers, or one under two tenants, never share one. */
export const principalOf = ({ owner, tenant = '' }: Caller): string =>
  `${A2A_PRINCIPALS}:${encodeURIComponent(tenant)}:${encodeURIComponent(owner)}`

/** The same for runs that are answered by a message: they are no tasks, and nobody finds them as such. */
export const replyPrincipalOf = ({ owner, tenant = '' }: Caller): string =>
  `${A2A_PRINCIPALS}-reply:${encodeURIComponent(tenant)}:${encodeURIComponent(owner)}`
