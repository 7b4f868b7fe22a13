import type { Engine, RunId } from '@tenon/kernel'
import { cancelAtPeer } from './cancel-at-peer.js'
import { readDelegationHandle } from './delegation-handle.js'
import type { Peer } from './peer.js'

/**
 * Tasks that a run gave away without waiting for them. Nobody receives what they bring once the run has ended, so each
 * is told to stop then. Which they are stands in the run's journal: the process that ends a run need not be the one
 * that gave the work away. A host that only goes away leaves them at work.
 */
export class StopWithRun {
  readonly #waiting = new Set<Promise<void>>()
  #engine: Engine | undefined
  #leave = (): void => undefined

  constructor(readonly peers: ReadonlyMap<string, Peer>) {}

  /** From now on, for every run that ends in this process. Harmless a second time. */
  attend(engine: Engine): void {
    if (this.#engine === engine) return
    this.#leave()
    this.#engine = engine
    this.#leave = engine.subscribe((item) => {
      if (item.kind !== 'event' || item.event.kind !== 'run-ended') return
      const stopping = this.#stop(engine, item.runId).finally(() => this.#waiting.delete(stopping))
      this.#waiting.add(stopping)
    })
  }

  /** Waits for what is being told to stop. */
  async close(): Promise<void> {
    this.#leave()
    await Promise.all(this.#waiting)
  }

  async #stop(engine: Engine, runId: RunId): Promise<void> {
    const run = await engine.state(runId)
    const left = [...run.calls.values()].flatMap(({ goesOn, handle }) =>
      goesOn ? (readDelegationHandle(handle) ?? []) : [],
    )
    await Promise.all(left.map(({ peer, taskId }) => this.#stopTask(peer, taskId)))
  }

  async #stopTask(name: string, taskId: string): Promise<void> {
    const peer = this.peers.get(name)
    if (peer === undefined) return
    try {
      await cancelAtPeer(peer, await peer.link(AbortSignal.timeout(peer.limits.cancelMs)), taskId)
    } catch {
      // A peer that cannot be reached cannot be stopped; its own deadline does that.
    }
  }
}
