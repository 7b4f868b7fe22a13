import type { ErrorRecord, Model } from '@tenon/kernel'
import type { McpHost } from '@tenon/mcp'
import type { HostOptions } from './host-options.js'
import type { KnownSecrets } from './known-secrets.js'

export type StartedServers = {
  readonly host: McpHost
  /** Waits for them as long as a run may, and says what is to be told of them. */
  settled(): Promise<readonly ErrorRecord[]>
}

const SERVER_WAIT_MS = 5_000

/** Loaded only where servers are configured. A server that does not come is a problem to be told, not an end. */
export async function startServers(
  { loaded, environment, serverWaitMs, onServerLog }: HostOptions,
  workspace: string,
  secrets: KnownSecrets,
  model: () => Promise<Model>,
): Promise<StartedServers | undefined> {
  const { mcp } = loaded.config
  if (Object.keys(mcp?.servers ?? {}).length + (mcp?.import?.length ?? 0) === 0 || mcp === undefined) return undefined
  const { openMcp } = await import('../mcp/open-mcp.js')
  const { host, problems } = openMcp({
    config: mcp,
    environment,
    folder: loaded.folder,
    workspace,
    secrets,
    model,
    ...(onServerLog === undefined ? {} : { onLog: onServerLog }),
  })
  return {
    host,
    async settled() {
      await host.settled(mcp.wait ?? serverWaitMs ?? SERVER_WAIT_MS)
      const late = host.states
        .filter(({ state }) => state !== 'ready')
        .map(({ name, error, log }) => {
          if (error === undefined) return `${name} is not ready yet; its tools join when it is.`
          return log === '' ? error.message : `${error.message} tenon mcp list --log shows what it wrote.`
        })
      return [
        ...problems.map((message) => ({ code: 'mcp-import', message, retryable: false })),
        ...late.map((message) => ({ code: 'mcp-server', message, retryable: false })),
      ]
    },
  }
}
