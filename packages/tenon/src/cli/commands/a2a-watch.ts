import { Delegation } from '@tenon/a2a'
import { followTask } from '../../a2a/follow-task.js'
import { type PeerOptions, peerAtHand } from '../../a2a/peer-at-hand.js'
import { type ShowOptions, showDelegation } from '../../a2a/show-delegation.js'
import type { Io } from '../io.js'

export type A2aWatchOptions = PeerOptions & ShowOptions

/** `tenon a2a watch`: attaches to a task that is there. */
export async function a2aWatch(io: Io, written: string, taskId: string, options: A2aWatchOptions): Promise<number> {
  const peer = peerAtHand(io, written, options)
  try {
    return await followTask(io, async (context) => {
      const link = await peer.link(context.signal)
      const handle = {
        peer: peer.name,
        taskId,
        contextId: '',
        leftMs: peer.limits.totalMs,
        at: peer.clock.now(),
        answered: [],
      }
      const events = new Delegation(peer, link, context, handle).attach(handle, [], '')
      return await showDelegation(io, events, options)
    })
  } finally {
    await peer.close()
  }
}
