import { appendFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { type BridgeOptions, BridgeService, LOCAL_PRINCIPAL, type McpServerConfig } from '@tenon/mcp'
import { loadConfig } from '../../config/load-config.js'
import { HostError } from '../../errors.js'
import { knownNames } from '../../host/known-names.js'
import { bridgePolicy } from '../../mcp/bridge-policy.js'
import { serversOfConfig } from '../../mcp/servers-of-config.js'
import { TENON_VERSION } from '../../version.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { type ListenOptions, listenMcp } from '../listen-mcp.js'
import { safeText } from '../printer/safe-text.js'

export type BridgeMcpOptions = CommonOptions &
  ListenOptions & {
    readonly server?: readonly string[]
    readonly url?: readonly string[]
    readonly audit?: string
  }

/** `tenon mcp bridge`: a command, addresses, or servers of the configuration, offered to clients of either era. */
export async function bridgeMcp(io: Io, command: readonly string[], options: BridgeMcpOptions): Promise<number> {
  const { servers, policy } = serversOf(io, command, options)
  if (servers.length === 0)
    throw new HostError(
      'usage',
      'There is nothing to bridge. Name a command after --, a --url, or configure mcp.servers.',
    )
  const log = options.audit === undefined ? undefined : resolve(io.cwd, options.audit)
  const service = new BridgeService({
    servers,
    serverInfo: { name: 'tenon', version: TENON_VERSION },
    ...(policy === undefined ? {} : { policy }),
    ...(log === undefined
      ? {}
      : { audit: (entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`, { mode: 0o600 }) }),
    onDiagnostic: ({ server, code, detail = '' }) => {
      if (io.environment.TENON_DEBUG) io.stderr.write(`${server}: ${code} ${safeText(detail)}\n`)
    },
  })
  service.warm(LOCAL_PRINCIPAL)
  try {
    await listenMcp(io, service, options)
    return EXIT.completed
  } finally {
    await service.close()
  }
}

type Bridged = { readonly servers: readonly McpServerConfig[]; readonly policy: BridgeOptions['policy'] }

function serversOf(io: Io, [program, ...args]: readonly string[], options: BridgeMcpOptions): Bridged {
  const named: McpServerConfig[] = []
  if (program !== undefined)
    named.push({
      name: basename(program).replace(/\.\w+$/, ''),
      target: { kind: 'stdio', command: program, args, cwd: io.cwd },
    })
  for (const url of options.url ?? []) {
    if (!URL.canParse(url)) throw new HostError('usage', `${url} is no address.`)
    named.push({ name: new URL(url).hostname, target: { kind: 'http', url } })
  }
  if (named.length > 0 && options.server === undefined) return { servers: unique(named), policy: undefined }
  const { config } = loadConfig({
    cwd: io.cwd,
    environment: io.environment,
    known: knownNames(),
    ...(options.config === undefined ? {} : { file: options.config }),
  })
  const { servers, problems } = serversOfConfig(config.mcp ?? {}, io.environment)
  for (const problem of problems) io.stderr.write(`note: ${safeText(problem)}\n`)
  const chosen = options.server?.map((name) => {
    const found = servers.find((server) => server.name === name)
    if (found !== undefined) return found
    const names = servers.map((server) => server.name).join(', ') || 'none'
    throw new HostError('usage', `There is no server "${name}". There are: ${names}.`)
  })
  return { servers: unique([...named, ...(chosen ?? servers)]), policy: bridgePolicy(config.mcp) }
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
