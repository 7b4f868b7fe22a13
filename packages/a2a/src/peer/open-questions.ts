import type { Clock } from '@tenon/kernel'
import type { DelegationHandle } from './delegation-handle.js'
import { type PeerQuestion, questionIn } from './peer-question.js'
import type { PeerStatus } from './peer-task.js'

/** How long a peer may go on telling a question that was answered before it is put again. */
const STALE_MS = { question: 60_000, auth: 10 * 60_000 } as const

export type OpenQuestion = {
  readonly question: PeerQuestion
  /** Names it within the call: another one where the same question is put again. */
  readonly key: string
}

/** Tells questions that are open from those that were answered and are still being told. */
export class OpenQuestions {
  #staleSince: number | undefined
  /** The answer that is on its way may have been lost there. */
  unsure = false

  constructor(readonly clock: Clock) {}

  of(status: PeerStatus | undefined, handle: DelegationHandle | undefined): OpenQuestion | undefined {
    const question = questionIn(status)
    if (question === undefined) {
      this.#staleSince = undefined
      return undefined
    }
    const { answered = [], answering } = handle ?? {}
    const times = answered.filter((key) => key.startsWith(question.id)).length
    const pending = answering?.startsWith(question.id) === true
    if (pending && !this.unsure) return undefined
    if (times > 0 && !pending) {
      const now = this.clock.now()
      this.#staleSince ??= now
      if (now - this.#staleSince < STALE_MS[question.kind]) return undefined
    }
    const before = times + (pending ? 1 : 0)
    return { question, key: before === 0 ? question.id : `${question.id}#${before}` }
  }
}
