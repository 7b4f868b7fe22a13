import { type Clock, type Engine, systemClock } from '@tenon/kernel'
import { Peer, type PeerConfig } from './peer.js'
import { PeerError } from './peer-error.js'
import type { PushInbox } from './push-inbox.js'
import { StopWithRun } from './stop-with-run.js'

/** The peers of a host. Close it with the host: connections stay open for the next delegation. */
export class Peers {
  /** Where peers tell that a task moved on, once there is a server for it. */
  push: PushInbox | undefined
  readonly #peers: ReadonlyMap<string, Peer>
  /** Tasks that a run did not wait for. */
  readonly #leftAtWork: StopWithRun

  constructor(configs: readonly PeerConfig[], clock: Clock = systemClock) {
    this.#peers = new Map(configs.map((config) => [config.name, new Peer(config, clock)]))
    this.#leftAtWork = new StopWithRun(this.#peers)
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

  /** Work that a run did not wait for is told to stop when the run ends, whichever process gave it away. */
  attend(engine: Engine): void {
    this.#leftAtWork.attend(engine)
  }

  async close(): Promise<void> {
    await this.#leftAtWork.close()
    await Promise.all(this.all.map((peer) => peer.close()))
  }
}
