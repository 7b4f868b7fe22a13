/** What a key may be good for. */
export const SCOPES = [
  'runs:read',
  'runs:write',
  'inbox:answer',
  'mcp',
  'a2a',
  'models',
  /** The other scopes count for runs of everybody, those of the command line too. */
  'runs:any',
] as const

export type Scope = (typeof SCOPES)[number]

/** What an owner may do of whom nothing is said: everything that is its own. */
export const OWN_SCOPES: ReadonlySet<Scope> = new Set(SCOPES.filter((scope) => scope !== 'runs:any'))

/** Where nobody is asked who they are, everybody is the user of this machine. */
export const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES)
