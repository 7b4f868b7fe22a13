import { canonicalJson, type JsonObject } from '@tenon/kernel'
import type { Caller } from '../server/service.js'
import type { Upstream } from '../upstream/upstream.js'
import { BRIDGE_DEFAULTS } from './bridge-options.js'

type Own = { readonly upstream: Upstream; used: number }

/**
 * Connections to one legacy server that belong to one client each. Such a server is told the client's capabilities
 * once, at the handshake, and over stdio does not say to which call a question belongs: whoever can be asked needs a
 * connection of its own.
 */
export class OwnUpstreams {
  readonly #connect: (capabilities: JsonObject) => Upstream
  readonly #idleMs: number
  readonly #own = new Map<string, Own>()
  readonly #ending = new Set<Promise<void>>()
  readonly #sweeper: NodeJS.Timeout

  constructor(connect: (capabilities: JsonObject) => Upstream, idleMs: number = BRIDGE_DEFAULTS.idleMs) {
    this.#connect = connect
    this.#idleMs = idleMs
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(100, idleMs / 2)).unref()
  }

  of(caller: Caller): Upstream {
    const key = keyOf(caller)
    const known = this.#own.get(key)
    if (known !== undefined) {
      known.used = Date.now()
      return known.upstream
    }
    if (this.#own.size >= BRIDGE_DEFAULTS.maxOwnUpstreams) this.#dropOldest()
    const upstream = this.#connect(caller.capabilities)
    this.#own.set(key, { upstream, used: Date.now() })
    return upstream
  }

  find(caller: Caller): Upstream | undefined {
    return this.#own.get(keyOf(caller))?.upstream
  }

  end(caller: Caller): void {
    if (caller.session !== undefined) this.#drop(keyOf(caller))
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper)
    for (const key of [...this.#own.keys()]) this.#drop(key)
    await Promise.all(this.#ending)
  }

  #drop(key: string): void {
    const own = this.#own.get(key)
    if (own === undefined) return
    this.#own.delete(key)
    const ending = own.upstream.close().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  #dropOldest(): void {
    const [oldest] = [...this.#own].sort(([, one], [, other]) => one.used - other.used)
    if (oldest !== undefined) this.#drop(oldest[0])
  }

  /** Sessions end by themselves; clients without one just stay away. */
  #sweep(): void {
    const before = Date.now() - this.#idleMs
    for (const [key, { used }] of [...this.#own]) if (key.startsWith('modern') && used < before) this.#drop(key)
  }
}

const keyOf = ({ era, session, capabilities }: Caller): string =>
  session === undefined ? `${era} ${canonicalJson(capabilities)}` : `session ${session}`
