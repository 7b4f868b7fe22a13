import type { Dispatcher } from 'undici'
import { isLoopbackUrl } from './loopback-url.js'
import type { Headers } from './retry-after.js'

export type HttpRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

export type HttpResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: AsyncIterable<Uint8Array>
}

/** Sends one POST and gives the answer as it comes. Rejects when there is none. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>

let direct: Dispatcher | undefined
let proxied: Dispatcher | undefined

/**
 * One pool of connections for the process, without time limits of its own: those run on progress, not on bytes. The
 * proxy of the environment is used, but never for a server on this machine.
 */
async function dispatcher(url: string): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import('undici')
  const limits = { headersTimeout: 0, bodyTimeout: 0 }
  const { HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy } = process.env
  const hasProxy = [HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy].some(
    (value) => value !== undefined && value !== '',
  )
  if (hasProxy && !isLoopbackUrl(url)) {
    proxied ??= new EnvHttpProxyAgent(limits)
    return proxied
  }
  direct ??= new Agent(limits)
  return direct
}

/** The transport of Node: loaded at the first request, so that programs without one do not pay for it. */
export const httpTransport: Transport = async ({ url, headers, body, signal }) => {
  const { request } = await import('undici')
  const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher: await dispatcher(url) })
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]),
    ),
    body: plain(answer.body, String(answer.headers['content-encoding'] ?? '')),
  }
}

/** A transport over any `fetch`. */
export function fetchTransport(fetch: typeof globalThis.fetch): Transport {
  return async ({ url, headers, body, signal }) => {
    const answer = await fetch(url, { method: 'POST', headers, body, signal })
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers.entries()),
      body: answer.body ?? nothing(),
    }
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** No encoding is asked for. Where one is claimed all the same, the first bytes say whether it is so. */
async function* plain(body: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  if (!encoding.includes('gzip')) {
    yield* body
    return
  }
  const source = body[Symbol.asyncIterator]()
  const first = await source.next()
  const rest = { [Symbol.asyncIterator]: () => source }
  if (first.done === true) return
  if (first.value[0] !== 0x1f || (first.value.length > 1 && first.value[1] !== 0x8b)) {
    yield first.value
    yield* rest
    return
  }
  const [{ createGunzip }, { Readable }] = await Promise.all([import('node:zlib'), import('node:stream')])
  const packed = async function* () {
    yield first.value
    yield* rest
  }
  yield* Readable.from(packed()).pipe(createGunzip())
}
