import { randomUUID } from 'node:crypto'
import { Delegation, questionIn } from '@tenon/a2a'
import { followTask } from '../../a2a/follow-task.js'
import { type PeerOptions, peerAtHand } from '../../a2a/peer-at-hand.js'
import { type ShowOptions, showDelegation } from '../../a2a/show-delegation.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'

export type A2aAnswerOptions = PeerOptions & ShowOptions

/** `tenon a2a answer`: only to a task that asks; anything else is a message for `send --task`. */
export async function a2aAnswer(
  io: Io,
  written: string,
  taskId: string,
  words: readonly string[],
  options: A2aAnswerOptions,
): Promise<number> {
  const peer = peerAtHand(io, written, options)
  try {
    return await followTask(io, async (context) => {
      const link = await peer.link(context.signal)
      const task = await link.wire.get(taskId, context.signal)
      const question = questionIn(task.status)
      if (question === undefined) {
        io.stderr.write(`${safeText(taskId)} asks nothing: it is ${task.status.state}.\n`)
        return EXIT.failed
      }
      const { contextId } = task
      const leftMs = peer.limits.totalMs
      const handle = { peer: peer.name, taskId, contextId, leftMs, at: peer.clock.now(), answered: [] }
      const answer = { key: question.id, resume: { kind: question.kind }, answer: words.join(' ') }
      const events = new Delegation(peer, link, context, handle).attach(handle, [answer], randomUUID())
      return await showDelegation(io, events, options)
    })
  } finally {
    await peer.close()
  }
}
