import { pause } from './pause.js'
import type { Peer } from './peer.js'
import { isPeerError } from './peer-error.js'
import type { PeerEvent } from './peer-task.js'
import type { OutMessage } from './wire/dialect.js'
import type { PeerWire } from './wire/peer-wire.js'

/** Reasons that a stream is refused for before anything is begun, by peers whose card promises more than they do. */
const NO_STREAM: ReadonlySet<string | undefined> = new Set([
  'METHOD_NOT_FOUND',
  'UNSUPPORTED_OPERATION',
  'UNIMPLEMENTED',
])

/**
 * Sends a message, and the same one again only where the peer said that it began nothing: busy with a time to come
 * back, or unable to stream. Anything else may have run.
 */
export async function* sendWithPatience(
  wire: PeerWire,
  message: OutMessage,
  streaming: boolean,
  { clock, limits }: Peer,
  signal: AbortSignal,
): AsyncGenerator<PeerEvent> {
  let stream = streaming
  for (let repeats = 0; ; ) {
    let began = false
    try {
      for await (const event of wire.send({ message }, stream, signal)) {
        began = true
        yield event
      }
      return
    } catch (error) {
      if (began || !isPeerError(error)) throw error
      if (stream && message.taskId === undefined && error.code === 'peer-refused' && NO_STREAM.has(error.reason)) {
        stream = false
        continue
      }
      const waitMs = error.retryAfterMs ?? limits.firstPollMs * 2 ** repeats
      if (!error.repeatable || repeats === limits.repeats || waitMs > limits.repeatMs) throw error
      repeats++
      await pause(clock, waitMs, signal)
    }
  }
}
