import { Peer } from '@tenon/a2a'
import { systemClock } from '@tenon/kernel'
import { peerOfSettings } from '../a2a/peer-of-settings.js'
import type { ConfigEntry } from './joint.js'

const CARD_MS = 15_000

/**
 * The entry of a peer, with what its card says it is good for. A peer that is not there gets no entry.
 * @throws PeerError when the card cannot be had or offers no way in that both sides speak
 */
export async function peerEntry(name: string, url: string): Promise<ConfigEntry> {
  const peer = new Peer(peerOfSettings(name, { url }), systemClock)
  try {
    const { card } = await peer.link(AbortSignal.timeout(CARD_MS))
    const description = card.description === '' ? card.name : card.description
    return { path: ['peers', name], value: { url, description } }
  } finally {
    await peer.close()
  }
}
