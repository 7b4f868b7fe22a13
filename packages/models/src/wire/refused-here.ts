import { isLoopbackUrl } from './loopback-url.js'
import { networkCode } from './network-code.js'
import type { Transport } from './transport.js'

/** Milliseconds between tries: enough for a server that is just being started again. */
const WAITS_MS: readonly number[] = [200, 500, 1_300]

/** Nobody listens at a port of this machine. Unlike a network, it does not come back by being waited for. */
export const isRefusedHere = (url: string, thrown: unknown): boolean =>
  networkCode(thrown) === 'ECONNREFUSED' && isLoopbackUrl(url)

/** The same transport, which knocks a few times within two seconds where nobody listens on this machine. */
export function knocking(transport: Transport): Transport {
  return async (request) => {
    for (const waitMs of WAITS_MS)
      try {
        return await transport(request)
      } catch (thrown) {
        if (!isRefusedHere(request.url, thrown) || !(await waited(waitMs, request.signal))) throw thrown
      }
    return transport(request)
  }
}

/** False where the signal came first. */
function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve(!signal.aborted)
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}
