import type { CallId, RunId } from '../content/ids.js'
import type { Json } from '../content/json.js'
import type { CallContext, NeedAnswer } from '../ports/tool.js'
import type { CallState } from '../run/call-state.js'
import type { LazyAbort } from './lazy-abort.js'

export type TellProgress = (message: string | undefined, done?: number, total?: number) => void

/** What a hand is given at one entry: the call as it stood when it was begun. */
export class HandContext implements CallContext {
  readonly key: string
  readonly attempt: number
  readonly handle: Json | undefined
  readonly answers: readonly NeedAnswer[]
  readonly #abort: LazyAbort
  /** A value, not a method: hands take the context apart. */
  readonly progress: TellProgress

  constructor(
    readonly runId: RunId,
    readonly callId: CallId,
    call: CallState,
    abort: LazyAbort,
    tell: TellProgress,
  ) {
    this.key = call.proposal.key
    this.attempt = call.attempts
    this.handle = call.handle
    this.answers = call.delivered
    this.#abort = abort
    this.progress = tell
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }
}
