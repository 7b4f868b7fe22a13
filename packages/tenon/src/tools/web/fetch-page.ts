import { pinnedLookup } from '@tenon/a2a/net'
import type { Agent, Dispatcher, Response } from 'undici'
import { HostError } from '../../errors.js'
import { type AllowedHosts, checkedUrl, isAllowedHost } from './checked-url.js'
import { refusedAddress } from './refused-address.js'

export type FetchedPage = {
  /** After redirects. */
  readonly url: URL
  readonly status: number
  /** Without parameters, in lower case; empty where the server did not say. */
  readonly mediaType: string
  readonly charset: string | undefined
  readonly bytes: Uint8Array
  /** The body went on after `bytes`. */
  readonly cut: boolean
}

export type FetchLimits = {
  readonly allowed: AllowedHosts
  readonly mostBytes: number
  readonly timeoutMs: number
  readonly mostRedirects: number
}

const HEADERS = {
  'user-agent': 'tenon',
  accept: 'text/html, application/xhtml+xml, application/json, text/*;q=0.9, */*;q=0.5',
}
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * GETs a page. Each address is checked before it is connected to, redirects included; nothing of ours is sent but the
 * URL, and no more than `mostBytes` (after decompression) are read.
 * @throws HostError `url-…`, `fetch-…`
 */
export async function fetchPage(written: string, limits: FetchLimits, signal: AbortSignal): Promise<FetchedPage> {
  const { Agent, fetch } = await import('undici')
  let url = checkedUrl(written, limits.allowed)
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const either = AbortSignal.any([signal, timeout])
  for (let hops = 0; ; hops++) {
    const agent = agentFor(Agent, url, limits.allowed)
    try {
      const response = await fetch(url, { dispatcher: agent, redirect: 'manual', signal: either, headers: HEADERS })
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
      if (location === null) return await read(response, url, limits)
      if (hops === limits.mostRedirects)
        throw new HostError('fetch-failed', `${url.host} redirects more than ${limits.mostRedirects} times.`)
      url = checkedUrl(location, limits.allowed, url)
    } catch (error) {
      throw told(error, url, limits, signal, timeout)
    } finally {
      // Closes the connection too, and with it whatever is still under way.
      await agent.destroy()
    }
  }
}

function agentFor(Client: typeof Agent, url: URL, allowed: AllowedHosts): Dispatcher & { destroy(): Promise<void> } {
  return new Client({
    connections: 1,
    pipelining: 0,
    connect: { timeout: 10_000, ...(isAllowedHost(url, allowed) ? {} : { lookup: pinnedLookup(refusedAddress) }) },
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    maxHeaderSize: 32 * 1_024,
  })
}

async function read(response: Response, url: URL, { mostBytes }: FetchLimits): Promise<FetchedPage> {
  const chunks: Uint8Array[] = []
  let size = 0
  let cut = false
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= mostBytes) continue
    cut = true
    break
  }
  const [mediaType = '', ...parameters] = (response.headers.get('content-type') ?? '').split(';')
  const charset = parameters
    .map((one) => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(one)?.[1])
    .find((one) => one !== undefined)
  return {
    url,
    status: response.status,
    mediaType: mediaType.trim().toLowerCase(),
    charset,
    bytes: Buffer.concat(chunks).subarray(0, mostBytes),
    cut,
  }
}

/** undici wraps what went wrong several times over; the user needs the innermost. */
function told(error: unknown, url: URL, limits: FetchLimits, signal: AbortSignal, timeout: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (timeout.aborted)
    return new HostError(
      'fetch-timeout',
      `${url.host} did not answer in full within ${limits.timeoutMs / 1_000} seconds.`,
    )
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof HostError) return inner
    const code = (inner as NodeJS.ErrnoException).code
    const words = code === undefined ? undefined : REASONS[code]
    if (words !== undefined) return new HostError('fetch-failed', `${url.host} ${words}.`, { cause: error })
  }
  return new HostError('fetch-failed', `${url.host} could not be read: the connection failed.`, { cause: error })
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'is not a known host name',
  EAI_AGAIN: 'could not be looked up; is there a network?',
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke off the connection',
  UND_ERR_SOCKET: 'broke off the connection',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept a connection within 10 seconds',
  UND_ERR_HEADERS_TIMEOUT: 'did not begin to answer within 30 seconds',
  UND_ERR_BODY_TIMEOUT: 'stopped in the middle of its answer',
  UND_ERR_HEADERS_OVERFLOW: 'sent too many headers',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that nobody vouches for',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate that nobody vouches for',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate that cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
}
