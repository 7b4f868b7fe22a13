import { isJsonObject, type JsonObject } from '@tenon/kernel'
import { rpcError } from '../../errors.js'
import type { JsonRpcId } from '../../upstream/json-rpc.js'
import { LOG_LEVELS, type LogLevel } from '../../upstream/log-level.js'
import { faultForClient, faultText, notificationText, RPC, resultText } from '../rpc-reply.js'
import type { ServerLimits } from '../server-limits.js'
import type { Caller, McpService, ServiceInfo } from '../service.js'
import { StateSeal } from '../state-seal.js'
import { type Envelope, MODERN_VERSIONS, readEnvelope } from './envelope.js'
import { type Listener, Listeners } from './listeners.js'
import { modernResult } from './modern-result.js'
import { OpenCalls } from './open-calls.js'

export type ModernRequest = {
  readonly id: JsonRpcId
  readonly method: string
  readonly params: JsonObject
  readonly principal: string
  /** Aborted when the client has left or cancelled. */
  readonly signal: AbortSignal
  /** Sends a message that belongs to this request, before its answer. */
  readonly send: (text: string) => void
}

/** The answer to a request. `fault` is its JSON-RPC code, for whoever must turn it into a status. */
export type ModernAnswer = { readonly text: string; readonly fault?: number }

/** Methods of the legacy era that this one does not have (SEP-2575). */
const GONE: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

/** Revision 2026-07-28: each request carries all that is needed to answer it. */
export class ModernEndpoint {
  readonly #service: McpService
  readonly #calls: OpenCalls
  readonly #listeners: Listeners

  constructor(service: McpService, limits: ServerLimits, sealKey?: Uint8Array) {
    this.#service = service
    this.#calls = new OpenCalls(service, new StateSeal(limits.stateTtlMs, sealKey), limits)
    this.#listeners = new Listeners(service, limits.maxSubscriptions)
  }

  /** Never rejects. */
  async serve(request: ModernRequest): Promise<ModernAnswer> {
    const envelope = readEnvelope(request.params)
    if ('fault' in envelope) return { text: faultText(request.id, envelope.fault), fault: envelope.fault.code }
    try {
      const caller = callerOf(request, envelope)
      const found = this.#service.info(caller)
      const info = found instanceof Promise ? await found : found
      const result = await this.#result(request, envelope, caller, info)
      return { text: resultText(request.id, modernResult(request.method, result, info.serverInfo)) }
    } catch (error) {
      const fault = faultForClient(error)
      return { text: faultText(request.id, fault), fault: fault.code }
    }
  }

  /** The input schema of the tool that a request calls, where it is at hand. */
  schemaOf(
    request: Pick<ModernRequest, 'method' | 'params' | 'principal'>,
    envelope: Envelope,
  ): JsonObject | undefined {
    const { name } = request.params
    if (request.method !== 'tools/call' || typeof name !== 'string') return undefined
    return this.#service.toolSchema?.(callerOf(request, envelope), name)
  }

  /** Opens a subscription, or says why not. The result of `stop` is sent as the last message. */
  async listen(request: Omit<ModernRequest, 'signal'>, ended: () => void): Promise<Listener | ModernAnswer> {
    const envelope = readEnvelope(request.params)
    if ('fault' in envelope) return { text: faultText(request.id, envelope.fault), fault: envelope.fault.code }
    try {
      const caller = callerOf(request, envelope)
      const info = await this.#service.info(caller)
      return this.#listeners.listen({
        id: request.id,
        params: request.params,
        caller,
        info,
        send: request.send,
        ended: (result) => {
          request.send(resultText(request.id, result))
          ended()
        },
      })
    } catch (error) {
      const fault = faultForClient(error)
      return { text: faultText(request.id, fault), fault: fault.code }
    }
  }

  close(): void {
    this.#listeners.close()
    this.#calls.close()
  }

  async #result(request: ModernRequest, envelope: Envelope, caller: Caller, info: ServiceInfo): Promise<JsonObject> {
    const { method, signal } = request
    if (method === 'server/discover')
      return {
        supportedVersions: [...MODERN_VERSIONS],
        capabilities: info.capabilities,
        ...(info.instructions === undefined ? {} : { instructions: info.instructions }),
      }
    if (GONE.has(method)) throw rpcError(RPC.methodNotFound, `There is no ${method} in this revision.`)
    const { _meta, ...params } = request.params
    const { progressToken, logLevel } = envelope
    return this.#calls.serve({
      method,
      params,
      meta: envelope.meta,
      caller,
      signal,
      logLevel,
      ...(progressToken === undefined
        ? {}
        : {
            progress: (step) =>
              request.send(notificationText('notifications/progress', { progressToken, ...step } as JsonObject)),
          }),
      log: (level, data, logger) => {
        if (logLevel === undefined || !reaches(level, logLevel)) return
        request.send(
          notificationText('notifications/message', { level, data, ...(logger === undefined ? {} : { logger }) }),
        )
      },
    })
  }
}

const callerOf = ({ principal }: Pick<ModernRequest, 'principal'>, { clientInfo, capabilities }: Envelope): Caller => ({
  principal,
  era: 'modern',
  clientInfo,
  capabilities,
})

export const reaches = (level: LogLevel, wanted: LogLevel): boolean =>
  LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted)

export const isListener = (value: Listener | ModernAnswer): value is Listener =>
  'stop' in value && !isJsonObject(value.stop)
