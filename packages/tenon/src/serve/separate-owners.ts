import type { ServeConfig } from '../config/config-table.js'
import { HostError } from '../errors.js'

/**
 * Keys, each issuer of tokens, and certificates name owners without knowing of each other. Where there are several, whoever
 * gets a name at one of them would be the owner of that name at the others, with its runs and its scopes: so each whose
 * names are given elsewhere has to say how they are told apart.
 * @throws HostError `config-invalid`
 */
export function requireSeparateOwners({ bearer, apiKeys, jwt, introspection, mtls }: Access = {}): void {
  const given = { jwt, introspection, mtls }
  const sources = new Set([
    ...(bearer === undefined && apiKeys === undefined ? [] : ['keys']),
    // An issuer means the same owner, whether it signs a token or is asked about it.
    ...[jwt, introspection].flatMap((tokens) => (tokens === undefined ? [] : [`issuer ${tokens.issuer}`])),
    ...(mtls === undefined ? [] : ['certificates']),
  ])
  if (sources.size < 2) return
  const [open] = Object.entries(given).filter(([, one]) => one !== undefined && one.ownerPrefix === undefined)
  if (open === undefined) return
  const [name] = open
  throw new HostError(
    'config-invalid',
    `A caller of serve.access.${name} could have the name of another scheme's owner, and so its runs. Set serve.access.${name}.ownerPrefix, such as "${name}:"; or "" where the same name means the same owner, as it did for the runs that are there.`,
  )
}

type Access = NonNullable<ServeConfig['access']>
