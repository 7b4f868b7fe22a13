import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import type { ListKind } from '../catalogue/list-pages.js'
import { addressesFirst } from '../hand/addresses-first.js'
import type { McpServerConfig } from '../host/server-config.js'
import { META } from '../server/modern/envelope.js'
import type { Caller, ServedCall } from '../server/service.js'
import { connectUpstream } from '../supervisor/supervised-upstream.js'
import type { DiagnosticCode } from '../upstream/diagnostic.js'
import type { RequestOptions, UpstreamEvent, UpstreamInfo } from '../upstream/upstream.js'
import { askable, type BridgeOptions } from './bridge-options.js'
import { ListedUpstream } from './listed-upstream.js'
import { OwnUpstreams, ownKey } from './own-upstreams.js'

/** While the other side thinks about a question, its server has to be waited for longer. Milliseconds. */
const ASKED_TIMEOUT_MS = 15 * 60_000

/**
 * One upstream as one user sees it: a connection that everything shares which asks nothing of clients, and further
 * ones where a legacy server must be told, and must ask, exactly one client.
 */
export class BridgedServer {
  readonly name: string
  readonly #options: BridgeOptions
  readonly #config: McpServerConfig
  readonly #shared: ListedUpstream
  readonly #own: OwnUpstreams

  /** `onEvent` is told whose connection it was, where it was not the shared one. */
  constructor(
    config: McpServerConfig,
    options: BridgeOptions,
    onEvent: (event: UpstreamEvent, key: string | undefined) => void,
  ) {
    this.name = config.name
    this.#options = options
    this.#config = config
    this.#shared = this.#connect({}, (event) => onEvent(event, undefined))
    this.#own = new OwnUpstreams(
      (capabilities, key) => this.#connect(capabilities, (event) => onEvent(event, key)),
      options.idleMs,
    )
  }

  get info(): UpstreamInfo | undefined {
    return this.#shared.upstream.info
  }

  /** What the shared connection has listed. */
  get catalogue(): ListedUpstream['catalogue'] {
    return this.#shared.catalogue
  }

  start(): Promise<UpstreamInfo> {
    return this.#shared.start()
  }

  async list(kind: ListKind, caller: Caller): Promise<readonly Json[]> {
    await this.start()
    return this.viewOf(caller).list(kind)
  }

  /** The connection that this caller is served by. */
  viewOf(caller: Caller): ListedUpstream {
    const key = this.info?.era === 'legacy' ? ownKey(caller) : undefined
    return key === undefined ? this.#shared : this.#own.of(caller, key)
  }

  /** Hands a request on, for exactly this caller, and brings back what belongs to it. */
  async request(call: ServedCall, params: JsonObject): Promise<JsonObject> {
    const info = await this.start()
    const modern = info.era === 'modern'
    const view = this.viewOf(call.caller)
    await view.start()
    const rounds = modern
      ? {
          ...(call.inputResponses === undefined ? {} : { inputResponses: call.inputResponses }),
          ...(call.requestState === undefined ? {} : { requestState: call.requestState }),
        }
      : {}
    const send = (): Promise<JsonObject> =>
      view.upstream.request(call.method, { ...params, ...rounds }, requestOptions(call, modern))
    return call.caller.era === 'modern' && !modern ? afterAddresses(call, send) : send()
  }

  /** Resources that clients want to hear of: all of this user's, and those of one with a connection of its own. */
  async follow(all: ReadonlySet<string>, own: ReadonlySet<string>, caller: Caller): Promise<void> {
    await this.start()
    const view = this.viewOf(caller)
    await view.start()
    await view.follow(view === this.#shared ? all : own)
  }

  notify(caller: Caller, method: string, params: JsonObject): void {
    const key = ownKey(caller)
    const listed = key === undefined ? undefined : this.#own.find(key)
    listed?.upstream.notify(method, params).catch(() => undefined)
  }

  /** Tells a legacy server how much to log; a modern one is told with each request. */
  setLogLevel(caller: Caller, level: string): void {
    const { info } = this
    if (info?.era !== 'legacy' || info.capabilities.logging === undefined) return
    this.viewOf(caller)
      .upstream.request('logging/setLevel', { level })
      .catch(() => undefined)
  }

  ended(caller: Caller): void {
    const key = ownKey(caller)
    if (key !== undefined && caller.session !== undefined) this.#own.end(key)
  }

  async close(): Promise<void> {
    await Promise.all([this.#own.close(), this.#shared.close()])
  }

  #connect(capabilities: JsonObject, onEvent: (event: UpstreamEvent) => void): ListedUpstream {
    const { name, target, limits, auth, era, trusted = false } = this.#config
    const { serverInfo, verdicts, pins, onDiagnostic, redact } = this.#options
    const diagnose = (code: DiagnosticCode, detail?: string): void =>
      onDiagnostic?.({ server: name, code, ...(detail === undefined ? {} : { detail }) })
    const upstream = connectUpstream({
      name,
      target,
      clientInfo: serverInfo,
      capabilities,
      ...(limits === undefined ? {} : { limits }),
      ...(auth === undefined ? {} : { auth }),
      ...(era === undefined ? {} : { era }),
      ...(verdicts === undefined ? {} : { verdicts }),
      ...(redact === undefined ? {} : { redact }),
    })
    const listed = new ListedUpstream(upstream, { pins, trusted, diagnose })
    upstream.on((event) => {
      // What an upstream sends too late is dropped here and concerns nobody on the other side.
      if (event.kind === 'diagnostic' && event.code !== 'message-ignored') diagnose(event.code, event.detail)
      onEvent(event)
    })
    return listed
  }
}

/** A legacy server refuses until an address was opened; clients of the modern era know this as a round. */
async function afterAddresses(call: ServedCall, send: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await send()
  } catch (error) {
    const questions = addressesFirst(error)
    if (questions === undefined) throw error
    const ask = ({ method, params }: JsonObject): Promise<JsonObject> => call.ask(String(method), params as JsonObject)
    const answers = await Promise.all(Object.values(questions).map(ask))
    if (answers.some(({ action }) => action !== 'accept')) throw error
    return send()
  }
}

function requestOptions(call: ServedCall, modern: boolean): RequestOptions {
  const { caller, logLevel, progress, meta, signal } = call
  const common: RequestOptions = {
    signal,
    ...(progress === undefined ? {} : { onProgress: progress }),
    onNotification: (method, params) => {
      if (method === 'notifications/message') logTo(call, params)
    },
  }
  if (modern) {
    const own = { [META.clientCapabilities]: caller.capabilities }
    const level: JsonObject = logLevel === undefined ? {} : { [META.logLevel]: logLevel }
    return { ...common, meta: { ...meta, ...own, ...level } }
  }
  if (!askable(caller.capabilities)) return { ...common, meta }
  return {
    ...common,
    meta,
    timeoutMs: ASKED_TIMEOUT_MS,
    totalTimeoutMs: ASKED_TIMEOUT_MS,
    onServerRequest: (asked) => call.ask(asked.method, questionOf(asked.params), asked.signal),
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
