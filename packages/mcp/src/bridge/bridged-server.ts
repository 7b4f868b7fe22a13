import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { changeOfTool, type PinnedTool, pinOf } from '../catalogue/change-of-tool.js'
import type { ListKind } from '../catalogue/list-pages.js'
import { memoryPins } from '../catalogue/pins.js'
import { ServerCatalogue } from '../catalogue/server-catalogue.js'
import type { ToolEntry } from '../catalogue/tool-entry.js'
import type { McpServerConfig } from '../host/server-config.js'
import { META } from '../server/modern/envelope.js'
import type { Caller, ServedCall } from '../server/service.js'
import { connectUpstream } from '../supervisor/supervised-upstream.js'
import type { RequestOptions, Upstream, UpstreamEvent, UpstreamInfo } from '../upstream/upstream.js'
import { askable, type BridgeOptions } from './bridge-options.js'
import { OwnUpstreams } from './own-upstreams.js'

/** While the other side thinks about a question, its server has to be waited for longer. Milliseconds. */
const ASKED_TIMEOUT_MS = 15 * 60_000

/** Which upstream list a changed one is told as. */
const CHANGES: Readonly<Record<string, readonly ListKind[]>> = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/prompts/list_changed': ['prompts'],
  'notifications/resources/list_changed': ['resources', 'templates'],
}

/**
 * One upstream as one user sees it: a connection that everything shares which asks nothing of clients, and further
 * ones where a legacy server must be told, and must ask, exactly one client.
 */
export class BridgedServer {
  readonly name: string
  readonly catalogue: ServerCatalogue
  readonly #options: BridgeOptions
  readonly #config: McpServerConfig
  readonly #shared: Upstream
  readonly #own: OwnUpstreams
  readonly #held = new Set<ListKind>()
  /** Definitions as they were first listed: what calls are held to where no store of approvals is given. */
  readonly #firstSeen = new Map<string, PinnedTool>()
  #uris = new Set<string>()
  #starting: Promise<UpstreamInfo> | undefined

  constructor(config: McpServerConfig, options: BridgeOptions, onEvent: (event: UpstreamEvent) => void) {
    this.name = config.name
    this.#options = options
    this.#config = config
    this.#shared = this.#connect({})
    this.#own = new OwnUpstreams((capabilities) => this.#connect(capabilities), options.idleMs)
    this.catalogue = new ServerCatalogue({
      upstream: this.#shared,
      pins: options.pins ?? memoryPins(),
      trusted: config.trusted ?? false,
      diagnose: (code, detail) =>
        options.onDiagnostic?.({ server: config.name, code, ...(detail === undefined ? {} : { detail }) }),
    })
    this.catalogue.onChange(() => {
      for (const entry of this.catalogue.tools)
        if (!this.#firstSeen.has(entry.name)) this.#firstSeen.set(entry.name, pinOf(entry))
    })
    this.#shared.on((event) => {
      this.#outdated(event)
      onEvent(event)
    })
  }

  get info(): UpstreamInfo | undefined {
    return this.#shared.info
  }

  /** Opens the upstream and listens to it; concurrent calls share one attempt, a failed one is tried again next time. */
  start(): Promise<UpstreamInfo> {
    if (this.#shared.info !== undefined && this.#starting !== undefined) return this.#starting
    this.#starting ??= this.#open().catch((error) => {
      this.#starting = undefined
      throw error
    })
    return this.#starting
  }

  /** A list as it is held while the server tells of changes, asked for anew where it does not. */
  async list(kind: ListKind): Promise<readonly Json[]> {
    const info = await this.start()
    if (this.#held.has(kind) && this.#shared.info !== undefined) return this.catalogue.held(kind)
    const items = await this.catalogue.list(kind)
    const capability = info.capabilities[kind === 'templates' ? 'resources' : kind]
    if (isJsonObject(capability) && capability.listChanged === true) this.#held.add(kind)
    return items
  }

  /** Hands a request on, for exactly this caller, and brings back what belongs to it. */
  async request(call: ServedCall, params: JsonObject): Promise<JsonObject> {
    const info = await this.start()
    const modern = info.era === 'modern'
    const asks = askable(call.caller.capabilities)
    const upstream = modern || !asks ? this.#shared : this.#own.of(call.caller)
    const rounds = modern
      ? {
          ...(call.inputResponses === undefined ? {} : { inputResponses: call.inputResponses }),
          ...(call.requestState === undefined ? {} : { requestState: call.requestState }),
        }
      : {}
    return upstream.request(call.method, { ...params, ...rounds }, this.#requestOptions(call, modern, asks))
  }

  /** How a definition differs from the approved one; undefined when it does not. */
  changeOf(entry: ToolEntry): string | undefined {
    if (this.#options.pins === undefined) {
      const seen = this.#firstSeen.get(entry.name)
      return seen === undefined || seen.digest === entry.digest ? undefined : changeOfTool(seen, entry)
    }
    const standing = this.catalogue.standing(entry)
    if (standing.kind === 'changed') return standing.change
    return standing.kind === 'new' ? 'It was not there when this server was approved.' : undefined
  }

  /** The definition is approved as it is now. */
  agreed(entry: ToolEntry): void {
    if (this.#options.pins === undefined) this.#firstSeen.set(entry.name, pinOf(entry))
    else this.catalogue.approve([entry])
  }

  /** What the clients of this user want to hear of, besides the lists. */
  async follow(uris: ReadonlySet<string>): Promise<void> {
    if (uris.size === this.#uris.size && [...uris].every((uri) => this.#uris.has(uri))) return
    this.#uris = new Set(uris)
    if (this.#shared.info !== undefined) await this.catalogue.follow(this.#followed(this.#shared.info))
  }

  notify(caller: Caller, method: string, params: JsonObject): void {
    this.#own
      .find(caller)
      ?.notify(method, params)
      .catch(() => undefined)
  }

  /** Tells a legacy server how much to log; a modern one is told with each request. */
  setLogLevel(level: string): void {
    if (this.#shared.info?.era !== 'legacy' || this.#shared.info.capabilities.logging === undefined) return
    this.#shared.request('logging/setLevel', { level }).catch(() => undefined)
  }

  ended(caller: Caller): void {
    this.#own.end(caller)
  }

  async close(): Promise<void> {
    this.catalogue.close()
    await Promise.all([this.#own.close(), this.#shared.close()])
  }

  async #open(): Promise<UpstreamInfo> {
    const info = await this.#shared.open()
    // One listen stream for all clients and all kinds, opened before any list is read.
    await this.catalogue.follow(this.#followed(info)).catch(() => undefined)
    return info
  }

  #followed({ capabilities }: UpstreamInfo) {
    const tells = (area: string): boolean => {
      const capability = capabilities[area]
      return isJsonObject(capability) && capability.listChanged === true
    }
    return { tools: tells('tools'), prompts: tells('prompts'), resources: tells('resources'), uris: [...this.#uris] }
  }

  #connect(capabilities: JsonObject): Upstream {
    const { name, target, limits, auth } = this.#config
    const upstream = connectUpstream({
      name,
      target,
      clientInfo: this.#options.serverInfo,
      capabilities,
      ...(limits === undefined ? {} : { limits }),
      ...(auth === undefined ? {} : { auth }),
      ...(this.#options.verdicts === undefined ? {} : { verdicts: this.#options.verdicts }),
    })
    upstream.on((event) => {
      // What an upstream sends too late is dropped here and concerns nobody on the other side.
      if (event.kind !== 'diagnostic' || event.code === 'message-ignored') return
      const { code, detail } = event
      this.#options.onDiagnostic?.({ server: name, code, ...(detail === undefined ? {} : { detail }) })
    })
    return upstream
  }

  #requestOptions(call: ServedCall, modern: boolean, asks: boolean): RequestOptions {
    const { caller, logLevel, progress } = call
    return {
      signal: call.signal,
      ...(asks && !modern ? { timeoutMs: ASKED_TIMEOUT_MS, totalTimeoutMs: ASKED_TIMEOUT_MS } : {}),
      ...(progress === undefined ? {} : { onProgress: progress }),
      meta: modern
        ? {
            ...call.meta,
            [META.clientCapabilities]: caller.capabilities,
            ...(logLevel === undefined ? {} : { [META.logLevel]: logLevel }),
          }
        : call.meta,
      ...(asks && !modern
        ? { onServerRequest: ({ method, params, signal }) => call.ask(method, questionOf(params), signal) }
        : {}),
      onNotification: (method, params) => {
        if (method === 'notifications/message') logTo(call, params)
      },
    }
  }

  #outdated(event: UpstreamEvent): void {
    if (event.kind === 'stale' || event.kind === 'lost' || (event.kind === 'opened' && event.again)) this.#held.clear()
    if (event.kind === 'notification') for (const kind of CHANGES[event.method] ?? []) this.#held.delete(kind)
  }
}

/** Without the token under which the server would hear of progress: that is between it and us. */
function questionOf({ _meta, ...params }: JsonObject): JsonObject {
  if (!isJsonObject(_meta)) return params
  const { progressToken, ...meta } = _meta
  return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta }
}

function logTo(call: ServedCall, { level, data, logger }: JsonObject): void {
  if (typeof level === 'string')
    call.log(level as Parameters<ServedCall['log']>[0], data ?? null, typeof logger === 'string' ? logger : undefined)
}
