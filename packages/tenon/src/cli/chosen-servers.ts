import { basename } from 'node:path'
import type { BridgeOptions, EraName, McpServerConfig } from '@tenon/mcp'
import { loadConfig } from '../config/load-config.js'
import { HostError } from '../errors.js'
import { knownNames } from '../host/known-names.js'
import { KnownSecrets } from '../host/known-secrets.js'
import { secretsOfConfig } from '../host/secrets-of-config.js'
import { bridgePolicy } from '../mcp/bridge-policy.js'
import { serversOfConfig } from '../mcp/servers-of-config.js'
import type { CommonOptions, Io } from './io.js'
import { safeText } from './printer/safe-text.js'

export type ChoosingServers = {
  readonly server?: readonly string[]
  readonly url?: readonly string[]
  /** For a command and addresses; the servers of the configuration say it there. */
  readonly era?: EraName
}

export type ChosenServers = {
  readonly servers: readonly McpServerConfig[]
  readonly policy: BridgeOptions['policy']
  /** What must not be read in anything that the servers say. */
  readonly secrets: KnownSecrets
}

/** Servers as they are named on the command line, else those of the configuration. @throws HostError `usage` */
export function chosenServers(
  io: Io,
  [program, ...args]: readonly string[],
  options: CommonOptions & ChoosingServers,
): ChosenServers {
  const named: McpServerConfig[] = []
  const era = options.era === undefined ? {} : { era: options.era }
  if (program !== undefined)
    named.push({
      name: basename(program).replace(/\.\w+$/, ''),
      target: { kind: 'stdio', command: program, args, cwd: io.cwd },
      ...era,
    })
  for (const url of options.url ?? []) {
    if (!URL.canParse(url)) throw new HostError('usage', `${url} is no address.`)
    named.push({ name: new URL(url).hostname, target: { kind: 'http', url }, ...era })
  }
  if (named.length > 0 && options.server === undefined)
    return { servers: unique(named), policy: undefined, secrets: new KnownSecrets() }
  const { config } = loadConfig({
    cwd: io.cwd,
    environment: io.environment,
    known: knownNames(),
    ...(options.config === undefined ? {} : { file: options.config }),
  })
  const secrets = new KnownSecrets(secretsOfConfig(config, io.environment))
  const { servers, problems } = serversOfConfig(config.mcp ?? {}, io.environment, secrets)
  for (const problem of problems) io.stderr.write(`note: ${safeText(problem)}\n`)
  const chosen = options.server?.map((name) => {
    const found = servers.find((server) => server.name === name)
    if (found !== undefined) return found
    const names = servers.map((server) => server.name).join(', ') || 'none'
    throw new HostError('usage', `There is no server "${name}". There are: ${names}.`)
  })
  return { servers: unique([...named, ...(chosen ?? servers)]), policy: bridgePolicy(config.mcp), secrets }
}

function unique(servers: readonly McpServerConfig[]): readonly McpServerConfig[] {
  const names = new Set<string>()
  return servers.map((server) => {
    let name = server.name
    for (let more = 2; names.has(name); more++) name = `${server.name}-${more}`
    names.add(name)
    return { ...server, name }
  })
}
