import type { CallId, RunId } from '../content/ids.js'
import type { Json } from '../content/json.js'
import type { CallContext, NeedAnswer } from '../ports/tool.js'
import type { Amounts } from '../run/amounts.js'
import type { CallState } from '../run/call-state.js'
import type { LazyAbort } from './lazy-abort.js'

type TellProgress = (message: string | undefined, done?: number, total?: number) => void
type Teller = { progress: TellProgress }

/** What a hand is given at one entry: the call as it stood when it was begun. */
export class HandContext implements CallContext {
  readonly key: string
  readonly attempt: number
  readonly handle: Json | undefined
  readonly budget: Amounts | undefined
  readonly answers: readonly NeedAnswer[]
  readonly #abort: LazyAbort
  readonly #teller: Teller

  constructor(
    readonly runId: RunId,
    readonly callId: CallId,
    call: CallState,
    readonly room: number,
    abort: LazyAbort,
    teller: Teller,
  ) {
    this.key = call.proposal.key
    this.attempt = call.attempts
    this.handle = call.handle
    this.budget = call.budget
    this.answers = call.delivered
    this.#abort = abort
    this.#teller = teller
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Bound, because hands take the context apart; made when it is looked at, because most never do. */
  get progress(): TellProgress {
    return (message, done, total) => this.#teller.progress(message, done, total)
  }
}
