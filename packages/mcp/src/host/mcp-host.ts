import type { JsonObject, Redact, SchemaCompiler, Tool } from '@tenon/kernel'
import type { PinStore } from '../catalogue/pins.js'
import { ServerCatalogue } from '../catalogue/server-catalogue.js'
import type { ToolEntry } from '../catalogue/tool-entry.js'
import { ToolSelection } from '../catalogue/tool-selection.js'
import { isMcpError } from '../errors.js'
import type { AutomaticAnswers } from '../hand/automatic-answers.js'
import { readWish } from '../hand/input-request.js'
import { mcpTool } from '../hand/mcp-tool.js'
import type { ToolDesk } from '../hand/tool-desk.js'
import { connectUpstream } from '../supervisor/supervised-upstream.js'
import type { DiagnosticCode } from '../upstream/diagnostic.js'
import { LogTail } from '../upstream/log-tail.js'
import type { EraVerdicts, ServerRequest, Upstream, UpstreamInfo } from '../upstream/upstream.js'
import { type DeprecatedFeature, deprecatedFeature } from './deprecated-feature.js'
import { matchesName } from './matches-name.js'
import type { McpServerConfig } from './server-config.js'

export type HostDiagnostic = { readonly server: string; readonly code: DiagnosticCode; readonly detail?: string }

export type McpHostOptions = {
  readonly servers: readonly McpServerConfig[]
  readonly compile: SchemaCompiler
  readonly clientInfo: { readonly name: string; readonly version: string }
  readonly pins: PinStore
  /** Approve what a server offers when it is met for the first time; later changes ask. */
  readonly pinAtFirstSight?: boolean
  readonly verdicts?: EraVerdicts
  /** Declared to every server that has no list of its own. */
  readonly capabilities?: JsonObject
  readonly automatic?: AutomaticAnswers
  /** Tokens that tool definitions may take in a view; past it tools are found by `search_tools`. */
  readonly toolBudget?: number
  readonly maxRounds?: number
  readonly onDiagnostic?: (diagnostic: HostDiagnostic) => void
  /** Told each message that a server logs, in one line. */
  readonly onLog?: (server: string, line: string) => void
  /** Takes secrets out of all that servers say, before anything is made of it. */
  readonly redact?: Redact
}

export type ServerState = {
  readonly name: string
  readonly state: 'idle' | 'opening' | 'ready' | 'failed'
  readonly info?: UpstreamInfo
  readonly tools: number
  readonly error?: Error
  /** The last of what it logged: its stderr, and its log messages. */
  readonly log: string
  /** What it was seen to use of what 2026-07-28 deprecates. */
  readonly deprecated: readonly DeprecatedFeature[]
}

/** One server of the host, for a face that works with it by hand. */
export type HostServer = {
  readonly config: McpServerConfig
  readonly upstream: Upstream
  readonly catalogue: ServerCatalogue
  readonly desk: ToolDesk
}

type Kept = HostServer & {
  state: ServerState['state']
  error: Error | undefined
  starting: Promise<void> | undefined
  /** Starts in a row that failed. */
  failures: number
  retry: NodeJS.Timeout | undefined
  readonly messages: LogTail
  readonly deprecated: Set<DeprecatedFeature>
  readonly tools: Map<string, { readonly entry: ToolEntry; readonly tool: Tool }>
}

const MAX_ROUNDS = 10
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000
/** A process that does not start is not started for ever; an address may come back any time. */
const MOST_PROCESS_STARTS = 4
/** Tokens of definitions where nobody says otherwise. */
export const TOOL_BUDGET = 20_000

/** All MCP servers of one user. Each stands for itself: a slow, broken or dead one delays and breaks no other. */
export class McpHost {
  readonly #servers = new Map<string, Kept>()
  readonly #selection: ToolSelection
  readonly #changed = new Set<() => void>()
  #closed = false

  constructor(readonly options: McpHostOptions) {
    for (const config of options.servers) this.#servers.set(config.name, this.#keep(config))
    this.#selection = new ToolSelection(options.toolBudget ?? TOOL_BUDGET, options.compile, () => this.#tell())
  }

  /** Starts every server at once. Nothing of it throws or waits for a server that does not come. */
  start(): void {
    for (const kept of this.#servers.values()) void this.#start(kept)
  }

  /** Resolves when every server is ready or has failed, at the latest after `ms`. */
  async settled(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms)
    })
    await Promise.race([Promise.all([...this.#servers.values()].map((kept) => this.#start(kept))), late])
    clearTimeout(timer)
  }

  /** What an agent is offered now. The same list until something changes. */
  get tools(): readonly Tool[] {
    return this.#selection.tools
  }

  get states(): readonly ServerState[] {
    return [...this.#servers.values()].map(({ config, state, error, upstream, catalogue, messages, deprecated }) => ({
      name: config.name,
      state,
      log: `${upstream.log}${messages.text}`,
      tools: catalogue.tools.length,
      deprecated: [...deprecated],
      ...(upstream.info === undefined ? {} : { info: upstream.info }),
      ...(error === undefined ? {} : { error }),
    }))
  }

  server(name: string): HostServer | undefined {
    return this.#servers.get(name)
  }

  /** A tool by its name on the wire, whether it is in the offer or not. @throws McpError `mcp-unknown-tool` */
  async tool(server: string, name: string): Promise<Tool | undefined> {
    const kept = this.#servers.get(server)
    return kept === undefined ? undefined : this.#toolOf(kept, await kept.catalogue.findTool(name))
  }

  onChange(listener: () => void): () => void {
    this.#changed.add(listener)
    return () => this.#changed.delete(listener)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(
      [...this.#servers.values()].map(async ({ upstream, catalogue, desk, retry }) => {
        clearTimeout(retry)
        catalogue.close()
        for (const held of desk.held.values()) held.cancel()
        await upstream.close()
      }),
    )
  }

  #keep(config: McpServerConfig): Kept {
    const { options } = this
    const { name, target, limits, auth, era, logLevel, trusted = false } = config
    const capabilities = config.capabilities ?? options.capabilities ?? {}
    const diagnose = (code: DiagnosticCode, detail?: string): void =>
      options.onDiagnostic?.(detail === undefined ? { server: name, code } : { server: name, code, detail })
    const saw = (method: string): void => {
      const feature = deprecatedFeature(method)
      if (feature !== undefined) kept.deprecated.add(feature)
    }
    const upstream = connectUpstream({
      name,
      target,
      clientInfo: options.clientInfo,
      capabilities,
      onServerRequest: (request) => {
        saw(request.method)
        return answerUnasked(kept.desk, request)
      },
      ...(limits === undefined ? {} : { limits }),
      ...(auth === undefined ? {} : { auth }),
      ...(era === undefined ? {} : { era }),
      ...(logLevel === undefined ? {} : { logLevel }),
      ...(options.redact === undefined ? {} : { redact: options.redact }),
      ...(options.verdicts === undefined ? {} : { verdicts: options.verdicts }),
    })
    const catalogue = new ServerCatalogue({ upstream, pins: options.pins, trusted, diagnose })
    const kept: Kept = {
      config,
      upstream,
      catalogue,
      desk: {
        upstream,
        catalogue,
        capabilities,
        automatic: options.automatic ?? {},
        compile: options.compile,
        diagnose,
        maxRounds: options.maxRounds ?? MAX_ROUNDS,
        held: new Map(),
      },
      state: 'idle',
      error: undefined,
      starting: undefined,
      failures: 0,
      retry: undefined,
      messages: new LogTail(),
      deprecated: new Set(),
      tools: new Map(),
    }
    upstream.on((event) => {
      if (event.kind === 'diagnostic') diagnose(event.code, event.detail)
      if (event.kind === 'failed') this.#givenUp(kept, event.error)
      if (event.kind !== 'notification') return
      saw(event.method)
      if (event.method !== 'notifications/message') return
      const line = logLine(event.params)
      kept.messages.add(`${line}\n`)
      options.onLog?.(name, line)
    })
    catalogue.onChange(() => this.#listed(kept))
    return kept
  }

  #start(kept: Kept): Promise<void> {
    kept.starting ??= this.#open(kept)
    return kept.starting
  }

  async #open(kept: Kept): Promise<void> {
    kept.state = 'opening'
    try {
      await kept.catalogue.list('tools')
    } catch (error) {
      kept.starting = undefined
      this.#failed(kept, error instanceof Error ? error : new Error('unknown'))
      this.#retryLater(kept, error)
    }
  }

  /** A process that keeps ending stays ended until somebody asks; an address is tried again later. */
  #givenUp(kept: Kept, error: Error): void {
    this.#failed(kept, error)
    kept.starting = undefined
    if (kept.config.target.kind === 'http') this.#retryLater(kept, error)
  }

  /** Recovery is automatic where waiting may help; where a person has to act, nothing is tried over and over. */
  #retryLater(kept: Kept, error: unknown): void {
    kept.failures++
    const process = kept.config.target.kind === 'stdio'
    const hopeless = [
      'mcp-auth-required',
      'mcp-forbidden',
      'mcp-version-unsupported',
      'mcp-redirect-refused',
      'mcp-stdout-noise',
      'mcp-closed',
    ]
    if (this.#closed || (isMcpError(error) && hopeless.includes(error.code))) return
    if (process && kept.failures >= MOST_PROCESS_STARTS) return
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (kept.failures - 1), LONGEST_RETRY_MS)
    kept.retry = setTimeout(() => void this.#start(kept), waitMs)
    kept.retry.unref()
  }

  #failed(kept: Kept, error: Error): void {
    kept.state = 'failed'
    kept.error = error
    this.#tell()
  }

  #listed(kept: Kept): void {
    const { catalogue } = kept
    if (this.options.pinAtFirstSight && this.options.pins.load(kept.config.name) === null)
      catalogue.approve(catalogue.tools)
    kept.state = 'ready'
    kept.error = undefined
    kept.failures = 0
    this.#select()
  }

  /** Servers in the order of the configuration, their tools in the order of their lists. */
  #select(): void {
    const offered: Tool[] = []
    for (const kept of this.#servers.values())
      for (const entry of kept.catalogue.tools)
        if (!matchesName(kept.config.hidden ?? [], entry.name)) offered.push(this.#toolOf(kept, entry))
    this.#selection.offer(offered)
  }

  /** The same object as long as the definition is the same: digests of it are remembered by object. */
  #toolOf(kept: Kept, entry: ToolEntry): Tool {
    const known = kept.tools.get(entry.name)
    if (known?.entry.digest === entry.digest) return known.tool
    const tool = mcpTool(kept.desk, entry, kept.config.trusted ?? false)
    kept.tools.set(entry.name, { entry, tool })
    return tool
  }

  #tell(): void {
    for (const listener of this.#changed) listener()
  }
}

/** What a server wants outside of any call is answered where no person is needed: nobody is there to be asked. */
async function answerUnasked(desk: ToolDesk, { method, params, signal }: ServerRequest): Promise<JsonObject> {
  const wish = readWish(desk, method, params)
  if (wish.kind === 'automatic') return wish.answer(signal)
  desk.diagnose('request-refused', `${method} outside of a call`)
  return { action: 'cancel' }
}

/** A log message of a server in one line (2025-11-25, logging). */
function logLine({ level, logger, data }: JsonObject): string {
  const said = typeof data === 'string' ? data : JSON.stringify(data ?? null)
  return [level, logger]
    .filter((part) => typeof part === 'string')
    .concat(said.slice(0, 2_000))
    .join(' ')
}
