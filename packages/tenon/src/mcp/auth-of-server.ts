import { join } from 'node:path'
import { encryptedCredentials, type OAuthOptions } from '@tenon/mcp'
import { userDataFolder } from '@tenon/models'
import type { McpServerSettings } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'

/** The one user of a command on their own machine. */
const PRINCIPAL = 'local'

/** How to sign in to a server over HTTP. Undefined where headers of the configuration settle it. */
export function authOfServer(
  name: string,
  { url, headers, oauth }: Pick<McpServerSettings, 'url' | 'headers' | 'oauth'>,
  environment: Environment,
): OAuthOptions | undefined {
  const given = Object.keys(headers ?? {}).some((header) => header.toLowerCase() === 'authorization')
  if (url === undefined || given) return undefined
  const { clientId, clientSecret, scopes, grant, dpop } = oauth ?? {}
  return {
    name,
    url,
    principal: PRINCIPAL,
    store: encryptedCredentials(join(userDataFolder(environment), 'mcp', 'credentials')),
    clientName: 'Tenon',
    hint: `Sign in: tenon mcp login ${name}`,
    ...(clientId === undefined
      ? {}
      : { client: { id: clientId, ...(clientSecret === undefined ? {} : { secret: clientSecret.reveal() }) } }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(grant === undefined ? {} : { grant }),
    ...(dpop === undefined ? {} : { dpop }),
  }
}
