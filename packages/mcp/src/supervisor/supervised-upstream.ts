import type { JsonObject } from '@tenon/kernel'
import { type Link, openLink } from '../era/open-link.js'
import { endedInVain, eraHint, pushedInVain } from '../era/pushes-in-vain.js'
import { memoryVerdicts } from '../era/verdicts.js'
import { isMcpError, McpError } from '../errors.js'
import { isDeclared } from '../upstream/declared-requests.js'
import type { Diagnose } from '../upstream/diagnostic.js'
import { statusOf } from '../upstream/http-failure.js'
import { maskedHandler, maskedUpstream } from '../upstream/masked-upstream.js'
import { sseWire } from '../upstream/sse-wire.js'
import { stdioWire } from '../upstream/stdio-wire.js'
import { streamableWire } from '../upstream/streamable-wire.js'
import {
  type EraName,
  type FollowFilter,
  type RequestOptions,
  UPSTREAM_LIMITS,
  type Upstream,
  type UpstreamEvent,
  type UpstreamInfo,
  type UpstreamLimits,
  type UpstreamOptions,
} from '../upstream/upstream.js'
import type { MakeWire, Wire } from '../upstream/wire.js'
import { Followed } from './followed.js'
import { Restarts } from './restarts.js'

/** Milliseconds that a busy server may make us wait at the handshake. */
const MOST_BUSY_MS = 30_000
const BUSY_TRIES = 3

/** A server that is opened when it is needed and opened again when it was lost. Nothing is started by this call. */
export function connectUpstream(options: UpstreamOptions): Upstream {
  const { redact, onServerRequest } = options
  if (redact === undefined) return new SupervisedUpstream(options)
  const asked = onServerRequest && { onServerRequest: maskedHandler(onServerRequest, redact) }
  return maskedUpstream(new SupervisedUpstream({ ...options, ...asked }), redact)
}

class SupervisedUpstream implements Upstream {
  readonly #limits: UpstreamLimits
  readonly #listeners = new Set<(event: UpstreamEvent) => void>()
  readonly #restarts = new Restarts()
  readonly #followed: Followed
  readonly #verdicts
  #link: Link | undefined
  #opening: Promise<Link> | undefined
  #restart: { timer: NodeJS.Timeout; now: () => void; due: Promise<void> } | undefined
  /** Streamable HTTP was tried at this address and is not there. */
  #oldTransport = false
  #openings = 0
  #log = ''
  #closing = new AbortController()
  /** It ended by itself and has not been opened since. */
  #isLost = false
  readonly #endings = new Set<Promise<void>>()

  constructor(readonly options: UpstreamOptions) {
    this.#limits = { ...UPSTREAM_LIMITS, ...options.limits }
    this.#verdicts = options.verdicts ?? memoryVerdicts()
    this.#followed = new Followed(this.#diagnose, () => this.#emit({ kind: 'stale' }))
  }

  get name(): string {
    return this.options.name
  }

  get info(): UpstreamInfo | undefined {
    return this.#link?.info
  }

  get log(): string {
    return this.#link?.connection.wire.log ?? this.#log
  }

  on(listener: (event: UpstreamEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async open(signal?: AbortSignal): Promise<UpstreamInfo> {
    return (await this.#ready(signal)).info
  }

  async request(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    for (let attempt = 0; ; attempt++) {
      const link = this.#link ?? (await this.#ready(options.signal))
      try {
        const result = await link.connection.request(method, params, options)
        return link.info.era === 'legacy' ? result : (this.#toldOfEra(endedInVain(result, this.name)) ?? result)
      } catch (error) {
        if (this.#mayRepeat(error, link, attempt, options)) continue
        throw (link.info.era === 'legacy' ? undefined : this.#toldOfEra(pushedInVain(error, this.name))) ?? error
      }
    }
  }

  async notify(method: string, params?: JsonObject): Promise<void> {
    const link = this.#link ?? (await this.#ready())
    link.connection.notify(method, params)
  }

  async follow(filter: FollowFilter): Promise<void> {
    await this.#followed.set(filter)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#closing = new AbortController()
    this.#dropRestart()
    const [link, opening] = [this.#link, this.#opening]
    this.#link = undefined
    this.#opening = undefined
    this.#restarts.forgive()
    if (link !== undefined) this.#log = link.connection.wire.log
    await link?.connection.close(closed(this.name))
    this.#followed.detach()
    const late = await opening?.catch(() => undefined)
    await late?.connection.close(closed(this.name))
    await Promise.all(this.#endings)
  }

  #toldOfEra<T>(found: T | undefined): T | undefined {
    if (found !== undefined) this.#diagnose('asks-as-before', eraHint(this.name))
    return found
  }

  /** A lost session says that the request did not run; a read changes nothing. */
  #mayRepeat(error: unknown, link: Link, attempt: number, { repeatable, signal }: RequestOptions): boolean {
    if (attempt > 0 || signal?.aborted) return false
    if (isMcpError(error, 'mcp-session-lost')) {
      if (this.#link === link) this.#replace(link)
      return true
    }
    return repeatable === true && isMcpError(error, 'mcp-connection-lost') && link.connection.down !== undefined
  }

  /** The session is gone, but what is still open on the old connection may yet be answered. */
  #replace(link: Link): void {
    this.#link = undefined
    this.#followed.detach()
    this.#diagnose('session-renewed')
    void link.connection.drained().then(() => this.#end(link, closed(this.name)))
  }

  /** Ends a connection aside; closing waits for it. */
  #end(link: Link, error: McpError): void {
    const ending = link.connection.close(error).finally(() => this.#endings.delete(ending))
    this.#endings.add(ending)
  }

  async #ready(signal?: AbortSignal): Promise<Link> {
    if (this.#link !== undefined) return this.#link
    if (this.#opening === undefined) {
      const waiting = this.#restart
      waiting?.now()
      this.#opening = this.#openShared()
    }
    return signal === undefined ? this.#opening : orAborted(this.#opening, signal, this.name)
  }

  async #openShared(): Promise<Link> {
    const { signal } = this.#closing
    this.#dropRestart()
    try {
      const link = await this.#openPatiently(signal)
      if (signal.aborted) {
        await link.connection.close(closed(this.name))
        throw closed(this.name)
      }
      this.#link = link
      this.#restarts.opened()
      if (this.#isLost) this.#diagnose(this.options.target.kind === 'stdio' ? 'restarted' : 'stream-renewed')
      this.#isLost = false
      const again = this.#openings++ > 0
      void this.#followed.attach(link).catch(() => {})
      this.#chooseLogLevel(link)
      this.#emit({ kind: 'opened', info: link.info, again })
      return link
    } finally {
      if (!signal.aborted) this.#opening = undefined
    }
  }

  /** A modern server is told with each request. */
  #chooseLogLevel({ connection, info }: Link): void {
    const { logLevel: level } = this.options
    if (level === undefined || info.era === 'modern' || info.capabilities.logging === undefined) return
    connection.request('logging/setLevel', { level }).catch((error) => {
      if (isMcpError(error, 'mcp-rpc-error')) this.#diagnose('capability-missing', 'logging: logging/setLevel')
    })
  }

  /** Waits as a busy server asks us to, within bounds. */
  async #openPatiently(signal: AbortSignal): Promise<Link> {
    const until = Date.now() + Math.max(this.#limits.startTimeoutMs, MOST_BUSY_MS)
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#openOnce(signal)
      } catch (error) {
        if (!isMcpError(error, 'mcp-http-error') || attempt >= BUSY_TRIES) throw error
        const status = statusOf(error)
        if (status !== 429 && status !== 503) throw error
        const waitMs = error.retryAfterMs ?? 500 * 2 ** attempt
        if (Date.now() + waitMs > until) throw error
        this.#diagnose('retried-later', `HTTP ${status}, ${waitMs} ms`)
        await pause(waitMs, signal)
      }
  }

  async #openOnce(signal: AbortSignal): Promise<Link> {
    const { target } = this.options
    if (target.kind === 'stdio') return this.#over(stdioWire(this.name, target, this.#limits), undefined, signal)
    const { name, auth } = this.options
    const http = { name, target, limits: this.#limits, auth }
    const transport = target.transport ?? 'auto'
    if (transport === 'sse' || this.#oldTransport) return this.#over(sseWire(http), 'legacy', signal)
    try {
      return await this.#over(streamableWire(http), undefined, signal)
    } catch (error) {
      if (transport !== 'auto' || !isMcpError(error, 'mcp-http-error')) throw error
      const status = statusOf(error) ?? 0
      if (status < 400 || status >= 500 || status === 429) throw error
      const link = await this.#over(sseWire(http), 'legacy', signal).catch((cause) => {
        // Where there is no stream either, the first answer says more.
        throw isMcpError(cause, 'mcp-http-error') || isMcpError(cause, 'mcp-connection-lost') ? error : cause
      })
      this.#diagnose('fallback-sse')
      this.#oldTransport = true
      return link
    }
  }

  async #over(makeWire: MakeWire, known: 'legacy' | undefined, signal: AbortSignal): Promise<Link> {
    const { options } = this
    const key = verdictKey(options)
    let link: Link | undefined
    let wire: Wire | undefined
    const keepingWire: MakeWire = (events) => {
      wire = makeWire(events)
      return wire
    }
    try {
      link = await openLink(keepingWire, {
        options,
        limits: this.#limits,
        verdict: known ?? (options.era === undefined ? this.#verdicts.get(key) : onlyLegacy(options.era)),
        onVerdict: (era) => this.#verdicts.set(key, era),
        signal,
        connection: {
          answers: (method) => isDeclared(options.capabilities, method),
          onServerRequest: options.onServerRequest,
          onNotification: (method, params) => this.#emit({ kind: 'notification', method, params }),
          onMissed: () => this.#emit({ kind: 'stale' }),
          onDown: (error) => {
            if (link !== undefined && this.#link === link) this.#lost(link, error)
          },
          diagnose: this.#diagnose,
        },
      })
      return link
    } catch (error) {
      this.#log = wire?.log ?? this.#log
      throw this.#asStartError(error)
    }
  }

  /** What ends before the handshake has not started. */
  #asStartError(error: unknown): unknown {
    if (!isMcpError(error)) return error
    const { name, options } = this
    if (error.code === 'mcp-connection-lost')
      return options.target.kind === 'stdio'
        ? new McpError('mcp-start-failed', `${name} did not start. ${error.message}`, { cause: error })
        : new McpError('mcp-handshake-failed', error.message, { cause: error })
    if (error.code === 'mcp-timeout')
      return new McpError('mcp-timeout', `${name} was not ready in time.`, { cause: error, detail: { sent: false } })
    if (error.code === 'mcp-rpc-error')
      return new McpError('mcp-handshake-failed', `${name} refused the handshake: ${error.message}`, { cause: error })
    return error
  }

  #lost(link: Link, error: McpError): void {
    this.#link = undefined
    this.#log = link.connection.wire.log
    this.#followed.detach()
    this.#isLost = true
    this.#emit({ kind: 'lost', error })
    this.#end(link, error)
    this.#scheduleRestart(error)
  }

  #scheduleRestart(error: Error): void {
    const pauseMs = this.#restarts.ended()
    if (pauseMs === undefined) {
      this.#diagnose('crash-loop', error.message)
      this.#emit({ kind: 'failed', error })
      return
    }
    let now = (): void => {}
    const due = new Promise<void>((resolve) => {
      now = resolve
    })
    const timer = setTimeout(now, pauseMs)
    timer.unref()
    const restart = { timer, now, due }
    this.#restart = restart
    void due.then(() => {
      if (this.#restart !== restart) return
      this.#opening ??= this.#openShared()
      this.#opening.catch((failure) => {
        if (isMcpError(failure, 'mcp-closed') || this.#link !== undefined) return
        this.#scheduleRestart(failure)
      })
    })
  }

  #dropRestart(): void {
    clearTimeout(this.#restart?.timer)
    this.#restart = undefined
  }

  readonly #diagnose: Diagnose = (code, detail) =>
    this.#emit(detail === undefined ? { kind: 'diagnostic', code } : { kind: 'diagnostic', code, detail })

  #emit(event: UpstreamEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

/** A server may speak another era to another user. */
function verdictKey({ target, name, auth }: UpstreamOptions): string {
  return target.kind === 'stdio'
    ? JSON.stringify([name, target.command, target.args ?? []])
    : JSON.stringify([name, target.url, auth === undefined ? null : (auth.context ?? '')])
}

/** A server that may be legacy only is not probed; for one that may be modern only a verdict counts for nothing. */
const onlyLegacy = (era: EraName): 'legacy' | undefined => (era === 'legacy' ? era : undefined)

const closed = (name: string): McpError => new McpError('mcp-closed', `${name} was closed.`)

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new McpError('mcp-cancelled', `Waiting for ${name} was cancelled.`))
    if (signal.aborted) {
      stop()
      return
    }
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
