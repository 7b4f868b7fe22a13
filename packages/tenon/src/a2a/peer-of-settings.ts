import type { PeerConfig, TrustedKey } from '@tenon/a2a'
import type { PeerSettings } from '../config/config-table.js'

/**
 * A peer as the client takes it. Whoever wrote the address of a card into the configuration meant that host: it may be
 * reached although it is not public, its neighbours may not.
 */
export function peerOfSettings(name: string, settings: PeerSettings): PeerConfig {
  const { description, headers, allow = [], keys, signed, trust, questions, timeout } = settings
  const url = cardAddress(settings.url)
  return {
    name,
    url,
    allow: [hostWithPort(url), ...allow],
    ...(description === undefined ? {} : { description }),
    ...(headers === undefined
      ? {}
      : {
          credentials: () =>
            Object.fromEntries(
              Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value.reveal()]),
            ),
        }),
    ...(keys === undefined ? {} : { keys: keys as readonly TrustedKey[] }),
    ...(signed === undefined ? {} : { signed }),
    ...(trust === undefined ? {} : { trust }),
    ...(questions === undefined ? {} : { questions }),
    ...(timeout === undefined ? {} : { limits: { totalMs: timeout } }),
  }
}

/** An address without a path is that of a server: its card lies where the specification says (8.2). */
export function cardAddress(written: string): string {
  if (!URL.canParse(written)) return written
  const url = new URL(written)
  if (url.pathname === '/') url.pathname = '/.well-known/agent-card.json'
  return url.href
}

function hostWithPort(address: string): string {
  if (!URL.canParse(address)) return address
  const { hostname, port, protocol } = new URL(address)
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}
