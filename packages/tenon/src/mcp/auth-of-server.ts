import { join } from 'node:path'
import { encryptedCredentials, enterpriseAssertion, McpError, type OAuthOptions } from '@tenon/mcp'
import { userDataFolder } from '@tenon/models'
import type { McpServerSettings } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'
import { readTextFile } from '../config/read-text-file.js'
import { HostError } from '../errors.js'

type OAuthSettings = NonNullable<McpServerSettings['oauth']>

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
  const { clientId, clientSecret, scopes, dpop } = oauth ?? {}
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
    ...(oauth === undefined ? {} : wayIn(oauth, name)),
    ...(dpop === undefined ? {} : { dpop }),
  }
}

/** How the client shows who it is, where no person is brought to a browser. */
function wayIn(oauth: OAuthSettings, name: string): Pick<OAuthOptions, 'grant' | 'assertion'> {
  const { grant, assertionFile, identityProvider } = oauth
  if (grant !== 'workload' && grant !== 'enterprise') return grant === undefined ? {} : { grant }
  const key = `mcp.servers.${name}.oauth`
  if (assertionFile === undefined) throw new HostError('config-invalid', `${key}: ${grant} needs assertionFile.`)
  const signed = (): string => statementIn(assertionFile, name)
  if (grant === 'workload') return { grant: 'assertion', assertion: signed }
  if (identityProvider === undefined)
    throw new HostError('config-invalid', `${key}: enterprise needs identityProvider.`)
  const { tokenEndpoint, clientId, clientSecret } = identityProvider
  const secret = clientSecret === undefined ? {} : { clientSecret: clientSecret.reveal() }
  return { grant: 'assertion', assertion: enterpriseAssertion({ tokenEndpoint, clientId, ...secret, idToken: signed }) }
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
