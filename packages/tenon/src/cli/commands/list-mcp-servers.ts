import { lastWords, type McpHost, type ServerState } from '@tenon/mcp'
import { loadConfig } from '../../config/load-config.js'
import { knownNames } from '../../host/known-names.js'
import { KnownSecrets } from '../../host/known-secrets.js'
import { secretsOfConfig } from '../../host/secrets-of-config.js'
import { unavailableModel } from '../../host/unavailable-model.js'
import { openMcp } from '../../mcp/open-mcp.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'
import { table } from '../printer/table.js'
import { whileWaiting } from '../while-waiting.js'

export type ListMcpOptions = CommonOptions & {
  readonly json?: boolean
  readonly tools?: boolean
  readonly log?: boolean
}

const WAIT_MS = 30_000

/** `tenon mcp list`: opens every configured server and says what it is and what it offers. */
export async function listMcpServers(io: Io, options: ListMcpOptions): Promise<number> {
  const { config, folder } = loadConfig({
    cwd: io.cwd,
    environment: io.environment,
    known: knownNames(),
    ...(options.config === undefined ? {} : { file: options.config }),
  })
  if (config.mcp === undefined) {
    io.stderr.write('No MCP servers are configured. Add them under mcp.servers, or see tenon mcp import.\n')
    return EXIT.completed
  }
  const model = unavailableModel('No model is at work here.')
  const { host, problems } = openMcp({
    config: config.mcp,
    environment: io.environment,
    folder,
    workspace: io.cwd,
    model: async () => model,
    secrets: new KnownSecrets(secretsOfConfig(config, io.environment)),
  })
  try {
    await whileWaiting(io, options, 'opening the servers', host.settled(WAIT_MS))
    for (const problem of problems) io.stderr.write(`note: ${safeText(problem)}\n`)
    if (options.json) for (const state of host.states) io.stdout.write(`${JSON.stringify(asJson(host, state))}\n`)
    else print(io, host, options)
    return host.states.some(({ state }) => state === 'failed') ? EXIT.failed : EXIT.completed
  } finally {
    await host.close()
  }
}

function print(io: Io, host: McpHost, options: ListMcpOptions): void {
  const rows = host.states.map(({ name, state, info, tools, error, log }) => [
    name,
    state,
    info === undefined ? '' : `${info.version} (${info.era})`,
    state === 'ready' ? `${tools} tools` : '',
    // What it wrote is for whoever runs it, and in no error.
    error === undefined ? '' : safeText(`${error.message.split('\n')[0]} ${lastWords(log, 1)}`),
  ])
  io.stdout.write(table(rows))
  if (options.log)
    for (const { name, log } of host.states)
      for (const line of log.split('\n').slice(-20)) if (line !== '') io.stdout.write(`  ${name}: ${safeText(line)}\n`)
  if (!options.tools) return
  for (const { name } of host.states)
    for (const { shownName, description } of host.server(name)?.catalogue.tools ?? [])
      io.stdout.write(`  ${shownName}  ${safeText(description.split('\n')[0] ?? '').slice(0, 100)}\n`)
}

function asJson(host: McpHost, { name, state, info, error }: ServerState): object {
  const tools = host.server(name)?.catalogue.tools.map((entry) => entry.shownName) ?? []
  return {
    name,
    state,
    tools,
    ...(info === undefined ? {} : { era: info.era, version: info.version, serverInfo: info.serverInfo }),
    ...(error === undefined ? {} : { error: error.message }),
  }
}
