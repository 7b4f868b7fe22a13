import type { JsonObject } from '@tenon/kernel'
import { isTenonError } from '@tenon/kernel'
import { isHeaderMismatch, isMcpError, McpError } from '../errors.js'
import type {
  Caller,
  ChangeFilter,
  Follower,
  McpService,
  ServedCall,
  ServiceChange,
  ServiceInfo,
} from '../server/service.js'
import { BRIDGE_DEFAULTS, type BridgeAudit, type BridgeOptions } from './bridge-options.js'
import { checkCall } from './check-call.js'
import { bridgeClosed, Federation, LISTS, type Routed } from './federation.js'
import { ownKey } from './own-upstreams.js'

type Following = {
  readonly caller: Caller
  readonly wanted: () => ChangeFilter
  readonly onChange: (change: ServiceChange) => void
}

/**
 * Offers upstreams of either era to clients of either era. Each principal has upstreams of its own, so that no
 * session is ever used for another; what differs between the eras the endpoint and the upstream have settled.
 */
export class BridgeService implements McpService {
  readonly #options: BridgeOptions
  readonly #federations = new Map<string, Federation>()
  readonly #following = new Set<Following>()
  readonly #sweeper: NodeJS.Timeout
  #closed = false

  constructor(options: BridgeOptions) {
    this.#options = options
    const idleMs = options.idleMs ?? BRIDGE_DEFAULTS.idleMs
    this.#sweeper = setInterval(() => this.#sweep(idleMs), Math.max(100, idleMs / 2)).unref()
  }

  /** Starts the upstreams of a principal before its first request. */
  warm(principal: string): void {
    this.#of(principal)
  }

  info({ principal }: Caller): Promise<ServiceInfo> {
    return this.#of(principal).info()
  }

  async request(call: ServedCall): Promise<JsonObject> {
    const federation = this.#of(call.caller.principal)
    const list = LISTS[call.method]
    if (list !== undefined) return { [list.field]: [...(await federation.list(list.kind, call.caller))] }
    const began = performance.now()
    let routed: Routed | undefined
    try {
      routed = await federation.route(call)
      if (call.method === 'tools/call' && routed.name !== undefined)
        await checkCall(call, routed.server, routed.name, this.#options)
      const result = federation.taken(routed.server, await this.#answered(call, routed))
      this.#audit(call, routed, began, outcomeOf(result))
      return result
    } catch (error) {
      const refused = isMcpError(error, 'mcp-definition-changed') || isMcpError(error, 'mcp-unknown-tool')
      this.#audit(call, routed, began, refused ? 'refused' : 'failed', isTenonError(error) ? error.code : undefined)
      throw error
    }
  }

  /** Refused headers say that the tool is not what it was when it was listed: once more, if it may still be called. */
  async #answered(call: ServedCall, { server, params, name }: Routed): Promise<JsonObject> {
    try {
      return await server.request(call, params)
    } catch (error) {
      if (!isHeaderMismatch(error) || call.method !== 'tools/call' || name === undefined) throw error
      await server.viewOf(call.caller).catalogue.list('tools', true)
      // What the policy says was settled; what the definition says may be new.
      const { policy: _, ...definition } = this.#options
      await checkCall(call, server, name, definition)
      return server.request(call, params)
    }
  }

  toolSchema({ principal }: Caller, name: string): JsonObject | undefined {
    return this.#federations.get(principal)?.toolSchema(name)
  }

  notified(caller: Caller, method: string, params: JsonObject): void {
    for (const server of this.#of(caller.principal).servers) server.notify(caller, method, params)
  }

  levelChosen(caller: Caller, level: string): void {
    for (const server of this.#of(caller.principal).servers) server.setLogLevel(caller, level)
  }

  follow(caller: Caller, wanted: () => ChangeFilter, onChange: (change: ServiceChange) => void): Follower {
    const following = { caller, wanted, onChange }
    this.#following.add(following)
    const changed = (): void => this.#followUris(caller)
    if (wanted().uris.size > 0) changed()
    return {
      changed,
      stop: () => {
        const had = wanted().uris.size > 0
        this.#following.delete(following)
        if (had && !this.#closed) changed()
      },
    }
  }

  ended(caller: Caller): void {
    for (const server of this.#federations.get(caller.principal)?.servers ?? []) server.ended(caller)
  }

  /** Ends all upstreams, their process trees included. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#sweeper)
    await Promise.all([...this.#federations.values()].map((federation) => federation.close()))
    this.#federations.clear()
  }

  #of(principal: string): Federation {
    if (this.#closed) throw bridgeClosed()
    const known = this.#federations.get(principal)
    if (known !== undefined) {
      known.used = Date.now()
      return known
    }
    if (this.#federations.size >= BRIDGE_DEFAULTS.maxPrincipals)
      throw new McpError('mcp-too-many-users', 'Too many users have upstreams open. Try again later.')
    const federation = new Federation(this.#options, (change, whose) => {
      for (const { caller, onChange } of this.#following)
        if (caller.principal === principal && whose(caller)) onChange(change)
    })
    this.#federations.set(principal, federation)
    return federation
  }

  /** Each server is asked to tell of what any client of the user wants to hear of. */
  #followUris(caller: Caller): void {
    const key = ownKey(caller)
    const all = new Set<string>()
    const own = new Set<string>()
    for (const following of this.#following) {
      if (following.caller.principal !== caller.principal) continue
      for (const uri of following.wanted().uris) {
        all.add(uri)
        if (ownKey(following.caller) === key) own.add(uri)
      }
    }
    for (const server of this.#of(caller.principal).servers) void server.follow(all, own, caller).catch(() => undefined)
  }

  #sweep(idleMs: number): void {
    const before = Date.now() - idleMs
    for (const [principal, federation] of [...this.#federations]) {
      const followed = [...this.#following].some((following) => following.caller.principal === principal)
      if (followed || federation.used >= before || principal === 'local') continue
      this.#federations.delete(principal)
      void federation.close()
    }
  }

  #audit(
    call: ServedCall,
    routed: Routed | undefined,
    began: number,
    outcome: BridgeAudit['outcome'],
    code?: string,
  ): void {
    const { audit } = this.#options
    if (audit === undefined) return
    const { traceparent } = call.meta
    audit({
      at: Date.now(),
      principal: call.caller.principal,
      client: call.caller.clientInfo.name ?? null,
      server: routed?.server.name ?? '',
      method: call.method,
      ...(routed?.name === undefined ? {} : { name: routed.name }),
      ms: Math.round((performance.now() - began) * 1000) / 1000,
      outcome,
      ...(code === undefined ? {} : { code }),
      ...(typeof traceparent === 'string' ? { traceparent } : {}),
    })
  }
}

function outcomeOf(result: JsonObject): BridgeAudit['outcome'] {
  if (result.resultType === 'input_required') return 'input-required'
  if (result.resultType === 'task') return 'task'
  return result.isError === true ? 'tool-error' : 'ok'
}
