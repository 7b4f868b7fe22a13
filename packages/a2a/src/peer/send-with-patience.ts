import { pause } from './pause.js'
import type { Peer } from './peer.js'
import { isPeerError } from './peer-error.js'
import type { PeerEvent } from './peer-task.js'
import type { SendWish } from './wire/dialect.js'
import type { PeerWire } from './wire/peer-wire.js'

/** Reasons that a stream is refused for before anything is begun, by peers whose card promises more than they do. */
const NO_STREAM: ReadonlySet<string | undefined> = new Set([
  'METHOD_NOT_FOUND',
  'UNSUPPORTED_OPERATION',
  'UNIMPLEMENTED',
])

/** Reasons for which a peer does not take our webhook; the work can do without. */
const NO_KNOCK: ReadonlySet<string | undefined> = new Set([
  'PUSH_NOTIFICATION_NOT_SUPPORTED',
  'INVALID_PARAMS',
  'INVALID_ARGUMENT',
  'CODE_-32602',
])

/**
 * Sends a message, and the same one again only where the peer said that it began nothing: busy with a time to come
 * back, or unable to stream. Anything else may have run.
 */
export async function* sendWithPatience(
  wire: PeerWire,
  { message, push }: Omit<SendWish, 'tenant'>,
  streaming: boolean,
  { clock, limits }: Peer,
  signal: AbortSignal,
): AsyncGenerator<PeerEvent> {
  let stream = streaming
  let knock = push
  for (let repeats = 0; ; ) {
    let began = false
    try {
      for await (const event of wire.send(
        knock === undefined ? { message } : { message, push: knock },
        stream,
        signal,
      )) {
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
      if (knock !== undefined && error.code === 'peer-refused' && NO_KNOCK.has(error.reason)) {
        knock = undefined
        continue
      }
      const waitMs = error.retryAfterMs ?? limits.firstPollMs * 2 ** repeats
      if (!error.repeatable || repeats === limits.repeats || waitMs > limits.repeatMs) throw error
      repeats++
      await pause(clock, waitMs, signal)
    }
  }
}
