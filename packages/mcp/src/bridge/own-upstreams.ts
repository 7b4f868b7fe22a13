import { canonicalJson, type JsonObject } from '@tenon/kernel'
import type { Caller } from '../server/service.js'
import { askable, BRIDGE_DEFAULTS } from './bridge-options.js'
import type { ListedUpstream } from './listed-upstream.js'

type Own = { readonly listed: ListedUpstream; used: number }

/** Whose connection of its own a caller needs at a legacy server; undefined for one that cannot be asked anything. */
export function ownKey({ session, capabilities }: Caller): string | undefined {
  if (!askable(capabilities)) return undefined
  return session === undefined ? `modern ${canonicalJson(capabilities)}` : `session ${session}`
}

/**
 * Connections to one legacy server that belong to one client each. Such a server is told the client's capabilities
 * once, at the handshake, and over stdio does not say to which call a question belongs: whoever can be asked needs a
 * connection of its own.
 */
export class OwnUpstreams {
  readonly #connect: (capabilities: JsonObject, key: string) => ListedUpstream
  readonly #idleMs: number
  readonly #own = new Map<string, Own>()
  readonly #ending = new Set<Promise<void>>()
  readonly #sweeper: NodeJS.Timeout

  constructor(
    connect: (capabilities: JsonObject, key: string) => ListedUpstream,
    idleMs: number = BRIDGE_DEFAULTS.idleMs,
  ) {
    this.#connect = connect
    this.#idleMs = idleMs
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(100, idleMs / 2)).unref()
  }

  of(caller: Caller, key: string): ListedUpstream {
    const known = this.#own.get(key)
    if (known !== undefined) {
      known.used = Date.now()
      return known.listed
    }
    if (this.#own.size >= BRIDGE_DEFAULTS.maxOwnUpstreams) this.#dropOldest()
    const listed = this.#connect(caller.capabilities, key)
    this.#own.set(key, { listed, used: Date.now() })
    return listed
  }

  find(key: string): ListedUpstream | undefined {
    return this.#own.get(key)?.listed
  }

  end(key: string): void {
    const own = this.#own.get(key)
    if (own === undefined) return
    this.#own.delete(key)
    const ending = own.listed.close().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper)
    for (const key of [...this.#own.keys()]) this.end(key)
    await Promise.all(this.#ending)
  }

  #dropOldest(): void {
    const [oldest] = [...this.#own].sort(([, one], [, other]) => one.used - other.used)
    if (oldest !== undefined) this.end(oldest[0])
  }

  /** Sessions end by themselves; clients without one just stay away. */
  #sweep(): void {
    const before = Date.now() - this.#idleMs
    for (const [key, { used }] of [...this.#own]) if (key.startsWith('modern') && used < before) this.end(key)
  }
}
