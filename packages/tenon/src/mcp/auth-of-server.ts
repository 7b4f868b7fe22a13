import { join } from 'node:path'
import { encryptedCredentials, McpError, type OAuthOptions } from '@tenon/mcp'
import { userDataFolder } from '@tenon/models'
import type { McpServerSettings } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'
import { readTextFile } from '../config/read-text-file.js'

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
  const { clientId, clientSecret, scopes, grant, dpop, assertionFile } = oauth ?? {}
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
    ...(assertionFile === undefined ? {} : { assertion: () => statementIn(assertionFile, name) }),
  }
}

const MAX_STATEMENT = 64 * 1024

/** The platform puts another one there from time to time. */
function statementIn(file: string, name: string): string {
  try {
    return readTextFile(file, MAX_STATEMENT).trim()
  } catch (cause) {
    throw new McpError(
      'mcp-auth-required',
      `Signing in to ${name} needs the file of mcp.servers.${name}.oauth.assertionFile, which cannot be read.`,
      { cause },
    )
  }
}
