import { isJsonObject, type JsonObject } from '@tenon/kernel'
import type { Link } from '../era/open-link.js'
import { isMcpError } from '../errors.js'
import type { Diagnose } from '../upstream/diagnostic.js'
import type { FollowFilter } from '../upstream/upstream.js'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
/** A subscription has no end by itself: only silence of the connection ends it. */
const FOREVER_MS = 2 ** 31 - 1

/**
 * What is followed at one server, kept over every loss: the modern era listens on a stream that is opened again when
 * it ends; the legacy era is told by itself about lists and subscribes to resources one by one.
 */
export class Followed {
  #filter: FollowFilter = {}
  #link: Link | undefined
  #stop: AbortController | undefined
  #subscribed = new Set<string>()

  constructor(
    readonly diagnose: Diagnose,
    readonly onStale: () => void,
  ) {}

  /** Resolves when the server has agreed, or has shown that it will not. */
  async set(filter: FollowFilter): Promise<void> {
    this.#filter = filter
    if (this.#link !== undefined) await this.#apply(this.#link)
  }

  async attach(link: Link): Promise<void> {
    this.#link = link
    this.#subscribed = new Set()
    await this.#apply(link)
  }

  detach(): void {
    this.#link = undefined
    this.#stop?.abort()
    this.#stop = undefined
  }

  async #apply(link: Link): Promise<void> {
    if (link.info.era === 'legacy') await this.#subscribe(link)
    else await this.#listen(link)
  }

  async #subscribe({ connection, info }: Link): Promise<void> {
    const wanted = new Set(this.#filter.uris ?? [])
    const { resources } = info.capabilities
    if (!isJsonObject(resources) || resources.subscribe !== true) return
    for (const uri of [...this.#subscribed])
      if (!wanted.has(uri)) {
        this.#subscribed.delete(uri)
        await connection.request('resources/unsubscribe', { uri }).catch(() => {})
      }
    for (const uri of wanted)
      if (!this.#subscribed.has(uri)) {
        this.#subscribed.add(uri)
        await connection.request('resources/subscribe', { uri })
      }
  }

  /** One stream for everything; a changed filter replaces it. */
  #listen(link: Link): Promise<void> {
    this.#stop?.abort()
    this.#stop = undefined
    const notifications = wireFilter(this.#filter, link.info.capabilities)
    if (Object.keys(notifications).length === 0) return Promise.resolve()
    const stop = new AbortController()
    this.#stop = stop
    return new Promise((resolve) => {
      void this.#keepListening(link, notifications, stop.signal, resolve)
    })
  }

  async #keepListening(link: Link, filter: JsonObject, signal: AbortSignal, agreed: () => void): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    for (let round = 0; !signal.aborted && this.#link === link; round++) {
      let acknowledged = false
      try {
        await link.connection.request(
          'subscriptions/listen',
          { notifications: filter },
          {
            signal,
            timeoutMs: FOREVER_MS,
            totalTimeoutMs: FOREVER_MS,
            onAcknowledged: () => {
              acknowledged = true
              pauseMs = FIRST_PAUSE_MS
              agreed()
              if (round === 0) return
              this.diagnose('listen-renewed')
              this.onStale()
            },
          },
        )
      } catch (error) {
        if (signal.aborted || isFinal(error)) break
      }
      if (signal.aborted || link.connection.down !== undefined) break
      await pause(pauseMs, signal)
      if (!acknowledged) pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
    agreed()
  }
}

/** A server that does not know the method, or does not let us, will not change its mind. */
function isFinal(error: unknown): boolean {
  return (
    isMcpError(error, 'mcp-rpc-error') || isMcpError(error, 'mcp-auth-required') || isMcpError(error, 'mcp-forbidden')
  )
}

function wireFilter(filter: FollowFilter, capabilities: JsonObject): JsonObject {
  const has = (kind: string): boolean => isJsonObject(capabilities[kind])
  const uris = [...(filter.uris ?? [])]
  return {
    ...(filter.tools && has('tools') ? { toolsListChanged: true } : {}),
    ...(filter.prompts && has('prompts') ? { promptsListChanged: true } : {}),
    ...(filter.resources && has('resources') ? { resourcesListChanged: true } : {}),
    ...(uris.length > 0 && has('resources') ? { resourceSubscriptions: uris } : {}),
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    timer.unref()
    signal.addEventListener('abort', done)
  })
}
