import { type Clock, systemClock } from '@tenon/kernel'
import { Peer, type PeerConfig } from './peer.js'
import { PeerError } from './peer-error.js'
import type { PushInbox } from './push-inbox.js'

/** The peers of a host. Close it with the host: connections stay open for the next delegation. */
export class Peers {
  /** Where peers tell that a task moved on, once there is a server for it. */
  push: PushInbox | undefined
  readonly #peers: ReadonlyMap<string, Peer>

  constructor(configs: readonly PeerConfig[], clock: Clock = systemClock) {
    this.#peers = new Map(configs.map((config) => [config.name, new Peer(config, clock)]))
  }

  get all(): readonly Peer[] {
    return [...this.#peers.values()]
  }

  /** @throws PeerError `peer-unknown` */
  peer(name: string): Peer {
    const peer = this.#peers.get(name)
    if (peer === undefined)
      throw new PeerError('peer-unknown', `There is no peer ${name}. There are: ${[...this.#peers.keys()].join(', ')}.`)
    return peer
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((peer) => peer.close()))
  }
}
