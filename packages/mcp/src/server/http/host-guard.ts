import type { IncomingMessage } from 'node:http'

/** Names under which a server on this machine is called. */
export const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

export type HostGuard = {
  /** Host names that requests may be for, without port. Absent: this machine only. */
  readonly allowedHosts?: readonly string[]
  /** Host names of web pages that may ask. Absent: pages of this machine only. */
  readonly allowedOrigins?: readonly string[]
}

/**
 * Keeps web pages of strangers out: a page that rebinds a name to this address still sends that name as Host, and its
 * own origin as Origin. Says what is wrong, or undefined.
 */
export function guardHost(request: IncomingMessage, guard: HostGuard): string | undefined {
  const host = hostName(`http://${request.headers.host ?? ''}`)
  if (host === undefined || !(guard.allowedHosts ?? LOCAL_HOSTS).includes(host))
    return 'This host name is not served here.'
  const { origin } = request.headers
  if (origin === undefined || origin === '') return undefined
  const page = hostName(origin)
  if (page === undefined || !(guard.allowedOrigins ?? LOCAL_HOSTS).includes(page))
    return 'Pages of this origin may not ask here.'
  return undefined
}

function hostName(url: string): string | undefined {
  try {
    return new URL(url).hostname || undefined
  } catch {
    return undefined
  }
}
