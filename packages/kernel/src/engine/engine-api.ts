import type { CallId, ContextId, RequestId, RunId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import type { UserMessage } from '../content/message.js'
import type { MaybePromise } from '../ports/maybe-promise.js'
import type { Amounts } from '../run/amounts.js'
import type { Limits } from '../run/events.js'
import type { RunState } from '../run/state.js'
import type { ForkOptions } from './forked-events.js'
import type { LiveItem } from './live.js'

export type SubmitOptions = {
  readonly agent: string
  readonly goal: string | UserMessage
  readonly runId?: RunId
  readonly contextId?: ContextId
  readonly limits?: Limits
  /** What whoever gives the work lets it use: no limit is above it, the agent's own neither. */
  readonly budget?: Amounts
  /** Epoch milliseconds. */
  readonly deadline?: number
  readonly principal?: string
  readonly metadata?: JsonObject
  /** Why it is rejected before any work: then it is journalled as it ended. */
  readonly rejected?: string
  /** Set by the hand that starts a sub-run. */
  readonly parent?: { readonly runId: RunId; readonly callId: string; readonly depth: number }
}

/**
 * The one engine: every face stands over it. Methods on an unknown run throw KernelError `run-unknown`.
 * A run is driven by one process at a time; word for a run that another process drives is put in its inbox.
 */
export interface Engine {
  /** Journals the run and starts to drive it; returns as soon as the journal has it. */
  submit(options: SubmitOptions): MaybePromise<RunId>
  /**
   * Journals a new run that begins as another one stood after `seq`, and starts to drive it. Nothing that was done by
   * then is done again; calls that were open go on like after a crash: what has a handle is attached to, what is
   * `pure` or `idempotent` runs again under the same key, a `once` call is in doubt.
   *
   * @throws KernelError `fork-invalid` when the run does not reach `seq`, or had ended by then
   */
  fork(runId: RunId, seq: number, options?: ForkOptions): Promise<RunId>
  /**
   * Drives the run in this process if nobody does, and waits until it has ended or is parked on a person.
   * Where another process drives it, waits for that one, and takes over when it dies.
   */
  drive(runId: RunId): Promise<RunState>
  /**
   * `metadata`: whatever the face wants to find beside the answer in the journal.
   *
   * @throws KernelError `request-unknown` when it is not open (any more), `answer-invalid` when the shape is wrong.
   */
  answer(runId: RunId, requestId: RequestId, answer: Json, by?: string, metadata?: JsonObject): Promise<void>
  /**
   * A message of the user to a working run; the next turn sees it. One that is repeated under the same `id` changes
   * nothing. @throws KernelError `run-ended`
   */
  tell(runId: RunId, message: string | UserMessage, by?: string, id?: string): Promise<void>
  /** Stops model, tools and sub-runs, then ends the run as canceled. Harmless on a run that has ended. */
  cancel(runId: RunId, reason?: string, by?: string): Promise<void>
  /** Word from elsewhere for a call that has a handle: its hand is entered again to see, also while it waits for a person. */
  wake(runId: RunId, callId: CallId): Promise<void>
  /** The journal after `after`, then live. Ends after `run-ended`; with `untilParked` also when the run parks. */
  follow(
    runId: RunId,
    options?: { readonly after?: number; readonly signal?: AbortSignal; readonly untilParked?: boolean },
  ): AsyncIterable<LiveItem>
  /**
   * Tells `listener` of everything that this process drives, as it happens; returns how to stop. For metrics and
   * traces: it is called in the middle of the work, so it must be quick and must not throw.
   */
  subscribe(listener: (item: LiveItem) => void): () => void
  /** The fold of the journal as it stands. */
  state(runId: RunId): MaybePromise<RunState>
  /**
   * Stops driving without canceling: everything goes on at the next `drive`, here or elsewhere. Model turns and calls
   * that can be taken up again are left at once; for `patienceMs` milliseconds, none if absent, `once` calls that are
   * under way may end, because they would be in doubt.
   */
  close(options?: { readonly patienceMs?: number }): Promise<void>
}
