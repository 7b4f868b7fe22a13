import type { RequestId } from '../content/ids.js'
import { sortableId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import type { UserMessage } from '../content/message.js'
import { userMessage } from '../content/message.js'
import { KernelError } from '../errors/kernel-errors.js'
import type { InboxItem } from '../ports/journal.js'
import type { RunState } from '../run/state.js'

// Word for a run as its inbox takes it. An engine puts it there and drives the run; who must not drive it, as it belongs
// to another configuration, puts it there alone.

/** How a run knows a message whose sender calls it `mark`: in `received`, and in its event. */
export const messageIdOf = (mark: string): string => `message:${mark}`

/** @param mark makes a second delivery harmless; a new one if absent. @throws KernelError `run-ended` */
export function messageItem(
  run: RunState,
  message: string | UserMessage,
  by?: string,
  mark: string = sortableId(),
): InboxItem {
  if (run.ended) throw new KernelError('run-ended', `The run has ended (${run.ended.state}); start another one.`)
  return {
    kind: 'message',
    id: messageIdOf(mark),
    message: typeof message === 'string' ? userMessage(message) : message,
    ...(by === undefined ? {} : { by }),
  }
}

/** Of several answers to a request the first one that is put counts. */
export const answerItem = (requestId: RequestId, answer: Json, by?: string, metadata?: JsonObject): InboxItem => ({
  kind: 'answer',
  id: `answer:${requestId}`,
  requestId,
  answer,
  ...(by === undefined ? {} : { by }),
  ...(metadata === undefined ? {} : { metadata }),
})
