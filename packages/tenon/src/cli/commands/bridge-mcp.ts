import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { BridgeService, LOCAL_PRINCIPAL, type McpService, TaskedService } from '@tenon/mcp'
import { HostError } from '../../errors.js'
import { TENON_VERSION } from '../../version.js'
import { type ChoosingServers, chosenServers } from '../chosen-servers.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { type ListenOptions, listenMcp } from '../listen-mcp.js'
import { safeText } from '../printer/safe-text.js'

export type BridgeMcpOptions = CommonOptions &
  ListenOptions &
  ChoosingServers & { readonly audit?: string; readonly taskAfter?: number }

/** `tenon mcp bridge`: a command, addresses, or servers of the configuration, offered to clients of either era. */
export async function bridgeMcp(io: Io, command: readonly string[], options: BridgeMcpOptions): Promise<number> {
  const { servers, policy, secrets } = chosenServers(io, command, options)
  if (servers.length === 0)
    throw new HostError(
      'usage',
      'There is nothing to bridge. Name a command after --, a --url, or configure mcp.servers.',
    )
  const log = options.audit === undefined ? undefined : resolve(io.cwd, options.audit)
  const service = new BridgeService({
    servers,
    serverInfo: { name: 'tenon', version: TENON_VERSION },
    redact: secrets.redact,
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
    await listenMcp(io, withTasks(service, options.taskAfter), options)
    return EXIT.completed
  } finally {
    await service.close()
  }
}

/** What takes longer becomes a task for clients that can follow one, whatever the server behind knows of tasks. */
const withTasks = (service: BridgeService, seconds: number | undefined): McpService =>
  seconds === undefined
    ? service
    : new TaskedService(service, { mode: () => 'offered', graceMs: seconds * 1000, innerTasks: true })
