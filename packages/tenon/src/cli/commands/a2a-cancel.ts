import { type PeerOptions, peerAtHand } from '../../a2a/peer-at-hand.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'

export type A2aCancelOptions = PeerOptions & { readonly json?: boolean }

/** `tenon a2a cancel`. */
export async function a2aCancel(io: Io, written: string, taskId: string, options: A2aCancelOptions): Promise<number> {
  const peer = peerAtHand(io, written, options)
  const { signal } = new AbortController()
  try {
    const { wire } = await peer.link(signal)
    const { id, status } = await wire.cancel(taskId, signal)
    if (options.json) io.stdout.write(`${JSON.stringify({ id, state: status.state })}\n`)
    else io.stderr.write(`${safeText(id)}: ${status.state}\n`)
    return status.state === 'canceled' ? EXIT.completed : EXIT.failed
  } finally {
    await peer.close()
  }
}
