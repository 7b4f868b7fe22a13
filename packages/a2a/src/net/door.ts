import { type Clock, isTenonError } from '@tenon/kernel'
import type { Dispatcher } from 'undici'
import { PeerError } from '../peer/peer-error.js'
import { checkedAddress, forbiddenAddress } from './checked-address.js'
import { type AllowedHosts, isAllowedHost } from './is-allowed-host.js'
import { pinnedLookup } from './pinned-lookup.js'
import { Agent, requestOver } from './undici-parts.js'

export type DoorRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
  /** Milliseconds until the response begins. */
  readonly withinMs: number
}

export type DoorResponse = {
  readonly status: number
  header(name: string): string | undefined
  readonly body: AsyncIterable<Uint8Array>
  /** Ends the response, read or not. */
  close(): void
}

const CONNECT_MS = 10_000

/** Errors of connections that never stood: the peer has seen nothing of the request. */
const NEVER_REACHED: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/**
 * HTTP to one peer: every address is checked before it is connected to, redirects are not followed, nothing is unpacked,
 * and no limit but ours ends a response.
 */
export class Door {
  readonly #guarded = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_MS, lookup: pinnedLookup(forbiddenAddress) },
  })
  readonly #permitted = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_MS } })

  constructor(
    readonly peer: string,
    readonly allowed: AllowedHosts,
    readonly clock: Clock,
  ) {}

  /** @throws PeerError; `mayHaveRun` where the peer may have read the request */
  async open(wanted: DoorRequest): Promise<DoorResponse> {
    const url = checkedAddress(wanted.url, this.allowed, `The address of ${this.peer}`)
    const stop = new AbortController()
    const leave = (): void => stop.abort(wanted.signal.reason)
    if (wanted.signal.aborted) leave()
    else wanted.signal.addEventListener('abort', leave, { once: true })
    const late = (): void =>
      stop.abort(
        new PeerError('peer-unavailable', `${this.peer} did not begin to answer in time.`, { mayHaveRun: true }),
      )
    const forget = this.clock.after(wanted.withinMs, late)
    const over = (): void => wanted.signal.removeEventListener('abort', leave)
    try {
      const response = await requestOver(isAllowedHost(url, this.allowed) ? this.#permitted : this.#guarded, url, {
        method: wanted.method,
        headers: { 'accept-encoding': 'identity', 'user-agent': 'tenon', ...wanted.headers },
        signal: stop.signal,
        ...(wanted.body === undefined ? {} : { body: wanted.body }),
      })
      return this.#response(response, stop, over)
    } catch (error) {
      over()
      throw stop.signal.aborted ? stop.signal.reason : this.told(error)
    } finally {
      forget()
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#guarded.destroy(), this.#permitted.destroy()])
  }

  /** The innermost of what undici wraps several times over. */
  told(error: unknown): unknown {
    for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
      if (isTenonError(inner)) return inner
      const { code } = inner as NodeJS.ErrnoException
      if (code !== undefined && NEVER_REACHED.has(code))
        return new PeerError('peer-unavailable', `${this.peer} cannot be reached (${code}).`, { cause: error })
    }
    return new PeerError('peer-unavailable', `The connection to ${this.peer} broke.`, {
      cause: error,
      mayHaveRun: true,
    })
  }

  #response(response: Dispatcher.ResponseData, stop: AbortController, over: () => void): DoorResponse {
    const { statusCode, headers, body } = response
    const close = (): void => {
      over()
      // What is destroyed under a reader throws at the reader; nobody may be reading.
      body.on('error', () => undefined)
      body.destroy()
    }
    const told = (error: unknown): unknown => (stop.signal.aborted ? stop.signal.reason : this.told(error))
    return {
      status: statusCode,
      header(name) {
        const value = headers[name]
        return Array.isArray(value) ? value.join(', ') : value
      },
      body: readThrough(body, told, over),
      close,
    }
  }
}

async function* readThrough(
  body: AsyncIterable<Uint8Array>,
  told: (error: unknown) => unknown,
  over: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw told(error)
  } finally {
    over()
  }
}
