import { homedir } from 'node:os'
import { isTenonError } from '@tenon/kernel'
import {
  type ImportedServer,
  type McpServerConfig,
  type OAuthOptions,
  oauthAuth,
  readServerFile,
  toldCredentials,
  type UpstreamLimits,
  type UpstreamTarget,
} from '@tenon/mcp'
import type { McpConfig, McpServerSettings } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'
import { readTextFile } from '../config/read-text-file.js'
import type { Secret } from '../config/secret.js'
import type { KnownSecrets } from '../host/known-secrets.js'
import { secretEntries } from '../host/secret-name.js'
import { authOfServer } from './auth-of-server.js'
import { projectOf } from './project-of.js'

export type ConfiguredServers = {
  readonly servers: readonly McpServerConfig[]
  /** What of imported files was left out, for the user to read. */
  readonly problems: readonly string[]
}

const MAX_FILE = 4 * 1024 * 1024

/** The servers of the configuration, and of the files that it refers to; a name of its own wins over an imported one. */
export function serversOfConfig(config: McpConfig, environment: Environment, secrets: KnownSecrets): ConfiguredServers {
  const problems: string[] = []
  const servers = new Map<string, McpServerConfig>()
  for (const file of config.import ?? [])
    for (const server of imported(file, environment, problems, secrets))
      servers.set(server.name, withLevel(server, config))
  for (const [name, settings] of Object.entries(config.servers ?? {})) {
    servers.delete(name)
    if (settings.enabled !== false) servers.set(name, withLevel(serverOf(name, settings, environment, secrets), config))
  }
  return { servers: [...servers.values()], problems }
}

function imported(
  file: string,
  environment: Environment,
  problems: string[],
  secrets: KnownSecrets,
): readonly McpServerConfig[] {
  try {
    const variables = { env: environment, home: environment.HOME ?? homedir(), workspace: projectOf(file) }
    const read = readServerFile(readTextFile(file, MAX_FILE), file, variables)
    problems.push(...read.problems.map((problem) => `${file}: ${problem}`))
    return read.servers.map((read) => {
      const server = inProject(read, file)
      for (const secret of secretsIn(server.target)) secrets.learn(secret)
      return withAuth(server, authOfImported(server, environment), secrets)
    })
  } catch (error) {
    if (!isTenonError(error)) throw error
    problems.push(error.message)
    return []
  }
}

const withLevel = (server: McpServerConfig, { logLevel }: McpConfig): McpServerConfig =>
  server.logLevel !== undefined || logLevel === undefined ? server : { ...server, logLevel }

/** What a sign-in brings is a secret from the moment on that it is known. */
function withAuth(server: McpServerConfig, auth: OAuthOptions | undefined, secrets: KnownSecrets): McpServerConfig {
  if (auth === undefined) return server
  const store = toldCredentials(auth.store, (secret) => secrets.learn(secret))
  return { ...server, auth: oauthAuth({ ...auth, store }) }
}

function secretsIn(target: UpstreamTarget): readonly string[] {
  const given =
    target.kind === 'http' ? target.headers?.() : typeof target.env === 'function' ? target.env() : target.env
  return Object.values(secretEntries(given)).map((value) => value.replace(/^Bearer /i, ''))
}

/** A command with relative arguments means those of the project that its file belongs to. */
function inProject(server: ImportedServer, file: string): ImportedServer {
  const { target } = server
  if (target.kind !== 'stdio' || target.cwd !== undefined) return server
  return { ...server, target: { ...target, cwd: projectOf(file) } }
}

/** How to sign in to a server of another host's file. */
export function authOfImported({ name, target }: ImportedServer, environment: Environment): OAuthOptions | undefined {
  if (target.kind !== 'http') return undefined
  const given = Object.keys(target.headers?.() ?? {}).some((header) => header.toLowerCase() === 'authorization')
  return given ? undefined : authOfServer(name, { url: target.url }, environment)
}

function serverOf(
  name: string,
  settings: McpServerSettings,
  environment: Environment,
  secrets: KnownSecrets,
): McpServerConfig {
  const { trusted, deny, timeout, startTimeout, maxMessageBytes, logLevel, era } = settings
  const limits: Partial<UpstreamLimits> = {
    ...(timeout === undefined ? {} : { requestTimeoutMs: timeout }),
    ...(startTimeout === undefined ? {} : { startTimeoutMs: startTimeout }),
    ...(maxMessageBytes === undefined ? {} : { maxMessageBytes }),
  }
  const server = {
    name,
    target: targetOf(settings),
    limits,
    ...(trusted === undefined ? {} : { trusted }),
    ...(deny === undefined ? {} : { hidden: deny }),
    ...(logLevel === undefined ? {} : { logLevel }),
    ...(era === undefined ? {} : { era }),
  }
  return withAuth(server, authOfServer(name, settings, environment), secrets)
}

function targetOf({ command, args, env, cwd, url, headers, transport }: McpServerSettings): UpstreamTarget {
  if (url !== undefined)
    return {
      kind: 'http',
      url,
      ...(headers === undefined ? {} : { headers: () => revealed(headers) }),
      ...(transport === undefined ? {} : { transport }),
    }
  return {
    kind: 'stdio',
    command: command ?? '',
    ...(args === undefined ? {} : { args }),
    ...(env === undefined ? {} : { env: () => revealed(env) }),
    ...(cwd === undefined ? {} : { cwd }),
  }
}

/** Looked up when the request or the process is made, and kept nowhere. */
const revealed = (secrets: Readonly<Record<string, Secret>>): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, value.reveal()]))
