import { Access, type AccessScheme, apiKeys, introspectedBearer, jwtBearer, mutualTls, staticBearer } from '@tenon/a2a'
import type { ServeConfig } from '../config/config-table.js'
import { requireSeparateOwners } from './separate-owners.js'

type Secrets = NonNullable<NonNullable<ServeConfig['access']>['bearer']>

/**
 * Who may call, as the configuration says.
 * @param report told when an issuer of tokens is of no use
 * @throws HostError `config-secret-missing`, `config-invalid` where owners of several schemes could be taken for each other
 */
export function accessOfConfig(config: ServeConfig['access'] = {}, report?: (error: unknown) => void): Access {
  const { bearer, apiKeys: keys, apiKeyHeader, jwt, introspection, mtls } = config
  requireSeparateOwners(config)
  const schemes: AccessScheme[] = []
  const reporting = report === undefined ? {} : { report }
  if (bearer !== undefined) schemes.push(staticBearer(entriesOf(bearer)))
  if (keys !== undefined) schemes.push(apiKeys(entriesOf(keys), apiKeyHeader))
  if (jwt !== undefined) {
    const { jwks, ...options } = jwt
    schemes.push(jwtBearer({ ...options, ...reporting, ...(jwks === undefined ? {} : { jwksUrl: jwks }) }))
  }
  if (introspection !== undefined) {
    const { url, clientSecret, ...options } = introspection
    schemes.push(
      introspectedBearer({
        ...options,
        ...reporting,
        introspectionUrl: url,
        clientSecret: () => clientSecret.reveal(),
      }),
    )
  }
  if (mtls !== undefined) schemes.push(mutualTls(mtls.header, mtls.proxies, mtls.ownerPrefix))
  return new Access(schemes)
}

const entriesOf = (secrets: Secrets) =>
  Object.entries(secrets).map(([owner, secret]) => ({ owner, token: secret.reveal() }))
