import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { McpError, rpcError } from '../../errors.js'
import type { JsonRpcFault, JsonRpcId, Received } from '../../upstream/json-rpc.js'
import { LOG_LEVELS, type LogLevel } from '../../upstream/log-level.js'
import { requireCapability } from '../client-capability.js'
import { reaches } from '../modern/modern-endpoint.js'
import { faultForClient, faultText, notificationText, RPC, requestText, resultText } from '../rpc-reply.js'
import type { ServerLimits } from '../server-limits.js'
import type { Caller, ChangeFilter, Follower, McpService, ServedCall, ServiceChange } from '../service.js'
import { answerInRounds } from './answer-in-rounds.js'
import { legacyResult } from './legacy-result.js'

export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

export type LegacySessionOptions = {
  readonly service: McpService
  readonly limits: ServerLimits
  readonly principal: string
  readonly session: string
  /** Sends a message; `about` is the client's request that it belongs to, where it belongs to one. */
  readonly send: (text: string, about: JsonRpcId | undefined) => void
  /** Sends the answer to a request: the last message about it. `undefined`: it was cancelled, there is none. */
  readonly answer: (text: string | undefined, id: JsonRpcId) => void
}

type Question = { readonly answered: (answer: JsonObject) => void; readonly failed: (error: unknown) => void }

/** One client of the legacy era: a handshake, then requests both ways until the connection ends. */
export class LegacySession {
  readonly #options: LegacySessionOptions
  readonly #running = new Map<JsonRpcId, AbortController>()
  readonly #questions = new Map<JsonRpcId, Question>()
  readonly #uris = new Set<string>()
  #caller: Caller
  #version: string | undefined
  #listChanges: ChangeFilter = { tools: false, prompts: false, resources: false, uris: this.#uris }
  #logLevel: LogLevel | undefined
  #follower: Follower | undefined
  #asked = 0
  #ended = false

  constructor(options: LegacySessionOptions) {
    this.#options = options
    const { principal, session } = options
    this.#caller = { principal, era: 'legacy', session, clientInfo: {}, capabilities: {} }
  }

  /** The negotiated version; undefined before the handshake. */
  get version(): string | undefined {
    return this.#version
  }

  get principal(): string {
    return this.#caller.principal
  }

  /** A request with this id is being answered. */
  isRunning(id: JsonRpcId): boolean {
    return this.#running.has(id)
  }

  /** Something is going on that a quiet client must not be forgotten for. */
  get busy(): boolean {
    return this.#running.size > 0
  }

  /** Takes one message. Resolves when it has been dealt with; never rejects. */
  async receive(message: Received): Promise<void> {
    switch (message.kind) {
      case 'request':
        return this.#request(message.id, message.method, message.params)
      case 'notification':
        return this.#notification(message.method, message.params)
      case 'result':
        this.#answered(message.id, ({ answered }) => answered(isJsonObject(message.result) ? message.result : {}))
        return
      case 'error':
        this.#answered(message.id, ({ failed }) => failed(clientFault(message.error)))
        return
      case 'bad':
        this.#options.send(
          faultText(message.id, { code: RPC.invalidRequest, message: `Invalid: ${message.reason}.` }),
          undefined,
        )
    }
  }

  /** The connection is gone: what runs is stopped, what was asked is not answered any more. */
  close(): void {
    if (this.#ended) return
    this.#ended = true
    const reason = new McpError('mcp-closed', 'The client has ended its session.')
    for (const controller of this.#running.values()) controller.abort(reason)
    for (const { failed } of this.#questions.values()) failed(reason)
    this.#questions.clear()
    this.#follower?.stop()
    this.#options.service.ended?.(this.#caller)
  }

  async #request(id: JsonRpcId, method: string, params: JsonObject): Promise<void> {
    const { answer, limits } = this.#options
    if (this.#running.has(id) || this.#running.size >= limits.maxCallsPerSession) {
      const message = this.#running.has(id) ? 'This id is in use.' : 'Too many requests are open in this session.'
      answer(faultText(id, { code: RPC.invalidRequest, message }), id)
      return
    }
    const controller = new AbortController()
    const { signal } = controller
    this.#running.set(id, controller)
    // Cancelled: the client does not want to hear of it any more, however long the service takes to stop.
    signal.addEventListener('abort', () => answer(undefined, id), { once: true })
    try {
      const result = await this.#result(id, method, params, signal)
      if (!signal.aborted) answer(resultText(id, legacyResult(result)), id)
    } catch (error) {
      if (!signal.aborted) answer(faultText(id, faultForClient(error)), id)
    } finally {
      this.#running.delete(id)
    }
  }

  async #result(id: JsonRpcId, method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if (method === 'initialize') return this.#initialize(params)
    if (method === 'ping') return {}
    if (this.#version === undefined) throw rpcError(RPC.invalidRequest, 'Send initialize first.')
    switch (method) {
      case 'logging/setLevel':
        return this.#setLogLevel(params.level)
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#subscribe(method, params.uri)
      default:
        return this.#serve(id, method, params, signal)
    }
  }

  async #initialize(params: JsonObject): Promise<JsonObject> {
    if (this.#version !== undefined) throw rpcError(RPC.invalidRequest, 'This session has been initialized.')
    const { protocolVersion, capabilities, clientInfo } = params
    if (typeof protocolVersion !== 'string') throw rpcError(RPC.invalidParams, 'params.protocolVersion is needed.')
    this.#caller = {
      ...this.#caller,
      clientInfo: isJsonObject(clientInfo) ? clientInfo : {},
      capabilities: isJsonObject(capabilities) ? capabilities : {},
    }
    const info = await this.#options.service.info(this.#caller)
    this.#version = LEGACY_VERSIONS.includes(protocolVersion) ? protocolVersion : String(LEGACY_VERSIONS[0])
    const { extensions, ...offered } = info.capabilities
    const has = (area: string): boolean => {
      const capability = offered[area]
      return isJsonObject(capability) && capability.listChanged === true
    }
    this.#listChanges = {
      tools: has('tools'),
      prompts: has('prompts'),
      resources: has('resources'),
      uris: this.#uris,
    }
    return {
      protocolVersion: this.#version,
      capabilities: offered,
      serverInfo: info.serverInfo,
      ...(info.instructions === undefined ? {} : { instructions: info.instructions }),
    }
  }

  #setLogLevel(level: Json | undefined): JsonObject {
    const known = LOG_LEVELS.find((one) => one === level)
    if (known === undefined)
      throw rpcError(
        RPC.invalidParams,
        `There is no level ${JSON.stringify(level)}. There are: ${LOG_LEVELS.join(', ')}.`,
      )
    this.#logLevel = known
    this.#options.service.levelChosen?.(this.#caller, known)
    return {}
  }

  #subscribe(method: string, uri: Json | undefined): JsonObject {
    if (typeof uri !== 'string') throw rpcError(RPC.invalidParams, 'params.uri is needed.')
    if (method === 'resources/subscribe') this.#uris.add(uri)
    else this.#uris.delete(uri)
    this.#follow()
    this.#follower?.changed()
    return {}
  }

  #follow(): void {
    this.#follower ??= this.#options.service.follow(
      this.#caller,
      () => this.#listChanges,
      (change) => this.#tellChange(change),
    )
  }

  async #serve(id: JsonRpcId, method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { send, service, limits } = this.#options
    const { _meta, ...given } = params
    const { progressToken, ...meta } = isJsonObject(_meta) ? _meta : {}
    const call: ServedCall = {
      method,
      params: given,
      meta,
      caller: this.#caller,
      signal,
      logLevel: this.#logLevel ?? 'info',
      ...(typeof progressToken === 'string' || typeof progressToken === 'number'
        ? {
            progress: (step) =>
              send(notificationText('notifications/progress', { progressToken, ...step } as JsonObject), id),
          }
        : {}),
      log: (level, data, logger) => this.#log(level, { level, data, ...(logger === undefined ? {} : { logger }) }, id),
      ask: (asked, asking, stop) => this.#ask(id, asked, asking, AbortSignal.any(stop ? [signal, stop] : [signal])),
    }
    return answerInRounds(service, call, limits.maxRounds)
  }

  async #ask(about: JsonRpcId, method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    requireCapability(method, params, this.#caller.capabilities)
    signal.throwIfAborted()
    const { send, limits } = this.#options
    const id = `ask-${++this.#asked}`
    return new Promise<JsonObject>((answered, failed) => {
      const settle = <T>(then: (value: T) => void) => {
        return (value: T): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', withdraw)
          this.#questions.delete(id)
          then(value)
        }
      }
      const fail = settle(failed)
      const withdraw = (): void => {
        send(notificationText('notifications/cancelled', { requestId: id, reason: 'no longer needed' }), about)
        fail(signal.reason)
      }
      const timer = setTimeout(() => {
        send(notificationText('notifications/cancelled', { requestId: id, reason: 'no answer in time' }), about)
        fail(new McpError('mcp-timeout', 'The client did not answer a question in time.'))
      }, limits.askTimeoutMs)
      timer.unref()
      signal.addEventListener('abort', withdraw, { once: true })
      this.#questions.set(id, { answered: settle(answered), failed: fail })
      send(requestText(id, method, params), about)
    })
  }

  #notification(method: string, params: JsonObject): void {
    if (method === 'notifications/initialized') this.#follow()
    else if (method === 'notifications/cancelled') {
      const { requestId, reason } = params
      if (typeof requestId !== 'string' && typeof requestId !== 'number') return
      const why = typeof reason === 'string' ? `The client cancelled: ${reason}` : 'The client cancelled.'
      this.#running.get(requestId)?.abort(new McpError('mcp-cancelled', why))
    } else if (this.#version !== undefined) this.#options.service.notified?.(this.#caller, method, params)
  }

  #answered(id: JsonRpcId | null, settle: (question: Question) => void): void {
    const question = id === null ? undefined : this.#questions.get(id)
    if (question !== undefined) settle(question)
  }

  #log(level: LogLevel, params: JsonObject, about: JsonRpcId | undefined): void {
    // Before the client has chosen a level, the server chooses (2025-11-25, logging).
    if (reaches(level, this.#logLevel ?? 'info'))
      this.#options.send(notificationText('notifications/message', params), about)
  }

  #tellChange(change: ServiceChange): void {
    const { send } = this.#options
    switch (change.kind) {
      case 'tools':
      case 'prompts':
      case 'resources':
        if (this.#listChanges[change.kind])
          send(notificationText(`notifications/${change.kind}/list_changed`, change.params), undefined)
        return
      case 'resource':
        if (this.#uris.has(change.uri))
          send(notificationText('notifications/resources/updated', { ...change.params, uri: change.uri }), undefined)
        return
      case 'log': {
        const level = LOG_LEVELS.find((one) => one === change.params.level)
        if (level !== undefined) this.#log(level, change.params, undefined)
        return
      }
      case 'other':
        send(notificationText(change.method, change.params), undefined)
    }
  }
}

const clientFault = ({ code, message, data }: JsonRpcFault): Error => rpcError(code, message, data)
