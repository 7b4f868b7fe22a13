import type { Peer, PeerLink } from './peer.js'
import { isPeerError, PeerError } from './peer-error.js'
import type { PeerTask } from './peer-task.js'

/**
 * Tells a peer to stop, within a bounded time. `stopped` when it says that it did, or had; the task where it shows it.
 * Nothing is thrown: whoever stops has no use for a reason.
 */
export async function cancelAtPeer(
  { clock, limits, name }: Peer,
  { wire }: PeerLink,
  taskId: string,
): Promise<{ readonly stopped: boolean; readonly task?: PeerTask }> {
  const leave = new AbortController()
  const silent = new PeerError('peer-unavailable', `${name} did not say that it stopped.`, { mayHaveRun: true })
  const forget = clock.after(limits.cancelMs, () => leave.abort(silent))
  try {
    return { stopped: true, task: await wire.cancel(taskId, leave.signal) }
  } catch (error) {
    return { stopped: isPeerError(error) && error.reason === 'TASK_NOT_CANCELABLE' }
  } finally {
    forget()
  }
}
