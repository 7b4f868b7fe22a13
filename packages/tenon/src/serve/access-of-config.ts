import { Access, type AccessScheme, apiKeys, introspectedBearer, jwtBearer, mutualTls, staticBearer } from '@tenon/a2a'
import type { ServeConfig } from '../config/config-table.js'

type Secrets = NonNullable<NonNullable<ServeConfig['access']>['bearer']>

/** Who may call, as the configuration says. @throws HostError `config-secret-missing` */
export function accessOfConfig(config: ServeConfig['access'] = {}): Access {
  const { bearer, apiKeys: keys, apiKeyHeader, jwt, introspection, mtls } = config
  const schemes: AccessScheme[] = []
  if (bearer !== undefined) schemes.push(staticBearer(entriesOf(bearer)))
  if (keys !== undefined) schemes.push(apiKeys(entriesOf(keys), apiKeyHeader))
  if (jwt !== undefined) {
    const { jwks, ...options } = jwt
    schemes.push(jwtBearer({ ...options, ...(jwks === undefined ? {} : { jwksUrl: jwks }) }))
  }
  if (introspection !== undefined) {
    const { url, clientSecret, ...options } = introspection
    schemes.push(introspectedBearer({ ...options, introspectionUrl: url, clientSecret: () => clientSecret.reveal() }))
  }
  if (mtls !== undefined) schemes.push(mutualTls(mtls.header, mtls.proxies))
  return new Access(schemes)
}

const entriesOf = (secrets: Secrets) =>
  Object.entries(secrets).map(([owner, secret]) => ({ owner, token: secret.reveal() }))
