import { isJsonObject, isTenonError, type JsonObject } from '@tenon/kernel'
import type { Era } from '../era/era.js'
import { META_SUBSCRIPTION } from '../era/modern/meta-keys.js'
import { isMcpError, McpError, rpcDetail, rpcError } from '../errors.js'
import type { Diagnose } from './diagnostic.js'
import type { JsonRpcId, JsonRpcRequest, Received } from './json-rpc.js'
import type { RequestOptions, ServerRequestHandler, UpstreamLimits } from './upstream.js'
import type { MakeWire, Wire } from './wire.js'

export type ConnectionOptions = {
  readonly name: string
  readonly makeWire: MakeWire
  readonly era: Era
  readonly limits: UpstreamLimits
  /** Methods that the server may ask us for, by what we declared. */
  readonly answers: (method: string) => boolean
  readonly onServerRequest: ServerRequestHandler | undefined
  readonly onNotification: (method: string, params: JsonObject) => void
  readonly onMissed: () => void
  readonly onDown: (error: McpError) => void
  readonly diagnose: Diagnose
}

type Pending = {
  readonly id: number
  readonly method: string
  readonly options: RequestOptions
  readonly timeoutMs: number
  readonly until: number
  timer: NodeJS.Timeout
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: McpError) => void
  onAbort: (() => void) | undefined
  /** Questions of the server that stand or fall with this request. */
  readonly questions: Set<AbortController>
}

const NOTIFICATIONS: ReadonlySet<string> = new Set([
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/elicitation/complete',
  'notifications/tasks',
  'notifications/tasks/status',
])

/** Before the handshake is through a server may not take anything else. */
const OPENING: ReadonlySet<string> = new Set(['initialize', 'server/discover'])

/**
 * Requests and answers over one wire, by id. An answer belongs to the request with its id and to no other; what fits
 * nowhere is dropped and told. Every request ends: by its answer, its time, its cancel or the end of the wire.
 */
export class Connection {
  era: Era
  readonly wire: Wire
  readonly #pending = new Map<JsonRpcId, Pending>()
  readonly #asked = new Map<JsonRpcId, AbortController>()
  /** Opening questions that another one was answered before: late answers to them are nothing to tell. */
  readonly #dropped = new Set<number>()
  #nextId = 1
  #down: McpError | undefined
  #idle: (() => void) | undefined

  constructor(readonly options: ConnectionOptions) {
    this.era = options.era
    this.wire = options.makeWire({
      received: (message, during) => this.#received(message, during),
      lost: (id, error) => this.#fail(this.#pending.get(id), error),
      down: (error) => this.#goDown(error),
      missed: options.onMissed,
      diagnose: options.diagnose,
    })
  }

  get down(): McpError | undefined {
    return this.#down
  }

  request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      if (this.#down !== undefined) {
        reject(this.#down)
        return
      }
      const { limits, name } = this.options
      const { signal } = options
      if (signal?.aborted) {
        reject(cancelled(name, method))
        return
      }
      const id = this.#nextId++
      const timeoutMs = options.timeoutMs ?? limits.requestTimeoutMs
      const pending: Pending = {
        id,
        method,
        options,
        timeoutMs,
        until: Date.now() + (options.totalTimeoutMs ?? Math.max(limits.totalTimeoutMs, timeoutMs)),
        timer: setTimeout(() => this.#timeout(pending), timeoutMs),
        resolve,
        reject,
        onAbort: undefined,
        questions: new Set(),
      }
      if (signal !== undefined) {
        pending.onAbort = () => this.#cancel(pending)
        signal.addEventListener('abort', pending.onAbort, { once: true })
      }
      this.#pending.set(id, pending)
      const { message, headers } = this.era.frame(requestOf(id, method, params, options))
      this.wire.send(message, { headers })
    })
  }

  notify(method: string, params?: JsonObject): void {
    const { headers } = this.era
    const routed = this.era.name === 'modern' ? { ...headers, 'mcp-method': method } : headers
    this.wire.send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }, { headers: routed })
  }

  /** Opens the stream for pushes where the era and the transport have one. */
  listen(): void {
    if (this.era.serverAsks) this.wire.listen(this.era.headers)
  }

  /** Resolves when no request is open any more. */
  drained(): Promise<void> {
    if (this.#pending.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idle = resolve
    })
  }

  async close(error: McpError): Promise<void> {
    this.#goDown(error, false)
    await this.wire.close()
  }

  #received(message: Received, during: JsonRpcId | undefined): void {
    switch (message.kind) {
      case 'result':
      case 'error':
        this.#answered(message)
        return
      case 'notification':
        this.#notified(message.method, message.params, during)
        return
      case 'request':
        void this.#serve(message, during)
        return
      case 'bad': {
        this.options.diagnose('bad-message', message.reason)
        const pending = message.id === null ? undefined : this.#find(message.id)
        this.#fail(pending, new McpError('mcp-protocol-error', `${this.options.name}: ${message.reason}.`))
      }
    }
  }

  #answered(message: Extract<Received, { kind: 'result' | 'error' }>): void {
    if (typeof message.id === 'number' && this.#dropped.delete(message.id)) return
    const pending = message.id === null ? undefined : this.#find(message.id)
    const { name, diagnose } = this.options
    if (pending === undefined) {
      diagnose('message-ignored', `an answer for the id ${JSON.stringify(message.id)}, which waits for none`)
      return
    }
    if (message.kind === 'error') {
      const { code, message: said, data } = message.error
      this.#fail(pending, rpcError(code, said, data))
      return
    }
    const { result } = message
    if (!isJsonObject(result)) {
      diagnose('bad-message', `the result of ${pending.method} is no object`)
      this.#fail(pending, new McpError('mcp-protocol-error', `${name} answered ${pending.method} with no object.`))
      return
    }
    const fault = this.era.check(pending.method, result, diagnose)
    if (fault !== undefined) this.#fail(pending, fault)
    else if (this.#settle(pending)) pending.resolve(result)
  }

  /** Some servers give our number back as text. */
  #find(id: JsonRpcId): Pending | undefined {
    const found = this.#pending.get(id)
    if (found !== undefined || typeof id === 'number' || !/^\d+$/.test(id)) return found
    const lenient = this.#pending.get(Number(id))
    if (lenient !== undefined) this.options.diagnose('id-type-mismatch', id)
    return lenient
  }

  #notified(method: string, params: JsonObject, during: JsonRpcId | undefined): void {
    const { diagnose } = this.options
    if (method === 'notifications/progress') {
      this.#progressed(params)
      return
    }
    if (method === 'notifications/cancelled') {
      const { requestId } = params
      const asked =
        typeof requestId === 'string' || typeof requestId === 'number' ? this.#asked.get(requestId) : undefined
      const ours = typeof requestId === 'number' ? this.#pending.get(requestId) : undefined
      if (asked !== undefined) asked.abort()
      // A modern server ends a subscription over stdio this way.
      else if (ours?.method === 'subscriptions/listen')
        this.#fail(ours, new McpError('mcp-connection-lost', `${this.options.name} ended the subscription.`))
      else diagnose('message-ignored', 'a cancel of nothing')
      return
    }
    if (method === 'notifications/subscriptions/acknowledged') {
      this.#acknowledged(params, during)
      return
    }
    if (!NOTIFICATIONS.has(method)) {
      diagnose('message-ignored', `the unknown notification ${method.slice(0, 100)}`)
      return
    }
    const own = during === undefined ? undefined : this.#pending.get(during)?.options.onNotification
    if (own !== undefined) own(method, params)
    else this.options.onNotification(method, params)
  }

  #acknowledged({ _meta }: JsonObject, during: JsonRpcId | undefined): void {
    const named = isJsonObject(_meta) ? _meta[META_SUBSCRIPTION] : undefined
    const id = typeof named === 'number' || typeof named === 'string' ? named : during
    const pending = id === undefined ? undefined : this.#pending.get(id)
    if (pending?.options.onAcknowledged === undefined)
      this.options.diagnose('message-ignored', 'a subscription that nobody asked for')
    else pending.options.onAcknowledged()
  }

  #progressed({ progressToken, progress, total, message }: JsonObject): void {
    const pending = typeof progressToken === 'number' ? this.#pending.get(progressToken) : undefined
    if (pending === undefined || typeof progress !== 'number') {
      this.options.diagnose('message-ignored', 'progress of no open request')
      return
    }
    const left = pending.until - Date.now()
    clearTimeout(pending.timer)
    pending.timer = setTimeout(() => this.#timeout(pending), Math.max(0, Math.min(pending.timeoutMs, left)))
    pending.options.onProgress?.({
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    })
  }

  async #serve(request: Extract<Received, { kind: 'request' }>, during: JsonRpcId | undefined): Promise<void> {
    const { id, method, params } = request
    const answer = (body: { result: JsonObject } | { error: { code: number; message: string } }): void =>
      this.wire.send({ jsonrpc: '2.0', id, ...body }, { headers: this.era.headers })
    if (method === 'ping' && this.era.serverAsks) {
      answer({ result: {} })
      return
    }
    const asking = this.#askingRequest(during)
    const handler = asking?.options.onServerRequest ?? this.options.onServerRequest
    if (!this.era.serverAsks || !this.options.answers(method) || handler === undefined) {
      this.options.diagnose('request-refused', method.slice(0, 100))
      answer({ error: { code: -32601, message: `Method not found: ${method}` } })
      return
    }
    const abort = new AbortController()
    this.#asked.set(id, abort)
    asking?.questions.add(abort)
    // A person takes longer to answer than a server may be silent: the clock of the request stands still.
    if (asking !== undefined) clearTimeout(asking.timer)
    try {
      const result = await handler({ method, params, signal: abort.signal })
      if (!abort.signal.aborted) answer({ result })
    } catch (error) {
      if (!abort.signal.aborted) answer({ error: faultOf(error) })
    } finally {
      this.#asked.delete(id)
      asking?.questions.delete(abort)
      if (asking !== undefined && this.#pending.has(asking.id))
        asking.timer = setTimeout(() => this.#timeout(asking), asking.timeoutMs)
    }
  }

  /** The request that a question of the server belongs to, as far as the transport says; else the oldest that can answer. */
  #askingRequest(during: JsonRpcId | undefined): Pending | undefined {
    const own = during === undefined ? undefined : this.#pending.get(during)
    if (own?.options.onServerRequest !== undefined) return own
    for (const pending of this.#pending.values()) if (pending.options.onServerRequest !== undefined) return pending
    return undefined
  }

  #timeout(pending: Pending): void {
    const { name } = this.options
    const { method, timeoutMs } = pending
    const inAll = Date.now() >= pending.until
    this.#withdraw(pending, inAll ? 'out of time' : 'no answer in time')
    const waited = inAll ? 'in the time that it has in all' : `for ${timeoutMs} ms`
    this.#fail(pending, new McpError('mcp-timeout', `${name} did not answer ${method} ${waited}.`))
  }

  #cancel(pending: Pending): void {
    this.#withdraw(pending, 'cancelled by the client')
    this.#fail(pending, cancelled(this.options.name, pending.method))
  }

  /** Tells the server once that nobody waits any more. */
  #withdraw({ id, method }: Pending, reason: string): void {
    if (!this.#pending.has(id)) return
    const closes = this.era.cancelsByClosing && this.wire.transport === 'streamable'
    if (OPENING.has(method)) this.#dropped.add(id)
    else if (!closes) this.notify('notifications/cancelled', { requestId: id, reason })
    this.wire.forget(id)
  }

  #fail(pending: Pending | undefined, error: McpError): void {
    if (pending !== undefined && this.#settle(pending)) pending.reject(error)
  }

  #settle(pending: Pending): boolean {
    if (!this.#pending.delete(pending.id)) return false
    clearTimeout(pending.timer)
    if (pending.onAbort !== undefined) pending.options.signal?.removeEventListener('abort', pending.onAbort)
    for (const question of pending.questions) question.abort()
    if (this.#pending.size === 0) this.#idle?.()
    return true
  }

  #goDown(error: McpError, tell = true): void {
    if (this.#down !== undefined) return
    this.#down = error
    for (const pending of [...this.#pending.values()]) this.#fail(pending, error)
    for (const asked of this.#asked.values()) asked.abort()
    if (tell) this.options.onDown(error)
  }
}

function requestOf(
  id: number,
  method: string,
  params: JsonObject,
  { meta, onProgress }: RequestOptions,
): JsonRpcRequest {
  const own = isJsonObject(params._meta) ? params._meta : undefined
  // Asked for with every call: the clock of a request runs on its progress.
  const wanted = onProgress !== undefined || method === 'tools/call'
  if (meta === undefined && !wanted) return { jsonrpc: '2.0', id, method, params }
  const _meta: JsonObject = { ...own, ...meta, ...(wanted ? { progressToken: id } : {}) }
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } }
}

const cancelled = (name: string, method: string): McpError =>
  new McpError('mcp-cancelled', `The request ${method} to ${name} was cancelled.`)

function faultOf(error: unknown): { code: number; message: string } {
  const rpc = rpcDetail(error)
  if (rpc !== undefined) {
    const { message } = error as McpError
    return { code: rpc.code, message, ...(rpc.data === undefined ? {} : { data: rpc.data }) }
  }
  if (isMcpError(error, 'mcp-input-refused')) return { code: -32601, message: error.message }
  return { code: -32603, message: isTenonError(error) && error.traits.modelVisible ? error.message : 'Internal error' }
}
