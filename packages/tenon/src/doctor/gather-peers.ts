import { Peer } from '@tenon/a2a'
import { type ErrorRecord, errorRecord, isTenonError, systemClock } from '@tenon/kernel'
import { peerOfSettings } from '../a2a/peer-of-settings.js'
import type { PeerSettings } from '../config/config-table.js'
import type { PeerFacts } from './project-facts.js'

/** A peer that has not shown its card by then counts as away. */
const CARD_MS = 5_000

/** Fetches the cards of all peers at once. A peer that is slow or away is a fact and delays no other. */
export function gatherPeers(peers: Readonly<Record<string, PeerSettings>> = {}): Promise<readonly PeerFacts[]> {
  return Promise.all(Object.entries(peers).map(([name, settings]) => lookAt(name, settings)))
}

async function lookAt(name: string, settings: PeerSettings): Promise<PeerFacts> {
  const config = peerOfSettings(name, settings)
  const known = {
    name,
    url: config.url,
    isLocal: isLoopback(config.url),
    hasCredentials: Object.keys(settings.headers ?? {}).length > 0,
  }
  const peer = new Peer(config, systemClock)
  const signal = AbortSignal.timeout(CARD_MS)
  try {
    const { card, verdict } = await peer.card(signal)
    const found = { ...known, card, signature: verdict.kind }
    try {
      const { chosen } = await peer.link(signal)
      return { ...found, way: `${chosen.offered.binding} ${chosen.offered.version}` }
    } catch (error) {
      return { ...found, error: recordOf(error, name) }
    }
  } catch (error) {
    return { ...known, error: recordOf(error, name) }
  } finally {
    await peer.close()
  }
}

function recordOf(error: unknown, name: string): ErrorRecord {
  if (isTenonError(error)) return errorRecord(error)
  if (!(error instanceof Error && error.name === 'TimeoutError')) throw error
  const message = `The card of ${name} did not come within ${CARD_MS / 1000} s.`
  return { code: 'peer-card-unreachable', message, retryable: true }
}

function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
}
