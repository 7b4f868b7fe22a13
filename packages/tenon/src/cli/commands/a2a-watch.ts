import { Delegation } from '@tenon/a2a'
import { followContext } from '../../a2a/follow-context.js'
import { type PeerOptions, peerAtHand } from '../../a2a/peer-at-hand.js'
import { showDelegation } from '../../a2a/show-delegation.js'
import type { Io } from '../io.js'

export type A2aWatchOptions = PeerOptions & { readonly json?: boolean }

/** `tenon a2a watch`: attaches to a task that is there. */
export async function a2aWatch(io: Io, written: string, taskId: string, options: A2aWatchOptions): Promise<number> {
  const peer = peerAtHand(io, written, options)
  const { context, leave } = followContext()
  try {
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
    return await showDelegation(io, events, options.json === true)
  } finally {
    leave()
    await peer.close()
  }
}
