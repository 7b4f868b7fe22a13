import { type RunId, systemClock } from '@tenon/kernel'
import { readDelegationHandle } from '../../src/peer/delegation-handle.js'
import { Peer, type PeerConfig } from '../../src/peer/peer.js'
import type { Delegator } from './delegator.js'

/** How the task of a run's delegation stands at the peer itself. */
export async function stateAtPeer(config: PeerConfig, host: Delegator, runId: RunId): Promise<string> {
  const { taskId } = readDelegationHandle((await host.call(runId)).handle)!
  const watcher = new Peer(config, systemClock)
  try {
    const { wire } = await watcher.link(AbortSignal.timeout(5_000))
    return (await wire.get(taskId, AbortSignal.timeout(5_000))).status.state
  } finally {
    await watcher.close()
  }
}
