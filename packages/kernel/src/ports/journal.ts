import type { CallId, RequestId, RunId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import type { UserMessage } from '../content/message.js'
import type { Grant, RunEvent } from '../run/events.js'
import type { MaybePromise } from './maybe-promise.js'

/** Where runs are kept. The key of an event is (run, seq), so a stale writer is refused. */
export interface Journal {
  /** Events with a seq above `after`, in order. Empty for an unknown run. At most `limit`, if given. */
  load(runId: RunId, after?: number, limit?: number): MaybePromise<readonly RunEvent[]>
  /**
   * Durable when it returns: against the end of the process always, against loss of power when `sync` is set.
   * All of `events` or none. @throws KernelError `journal-conflict` if the first seq is taken.
   */
  append(runId: RunId, events: readonly RunEvent[], sync: boolean): MaybePromise<void>
  /**
   * The first append of a run and its lease at once, where a journal has both and that costs less. One that has this
   * frees the lease with the append that ends the run, too.
   */
  begin?(
    runId: RunId,
    events: readonly RunEvent[],
    lease: { readonly holder: string; readonly ttlMs: number },
    sync: boolean,
  ): MaybePromise<void>
}

/** Word from outside for a run. `id` makes a repeated delivery harmless. */
export type InboxItem = { readonly id: string; readonly by?: string } & (
  | {
      readonly kind: 'answer'
      readonly requestId: RequestId
      readonly answer: Json
      readonly metadata?: JsonObject
    }
  | { readonly kind: 'message'; readonly message: UserMessage }
  | { readonly kind: 'cancel'; readonly reason?: string }
  /** The sub-run of this call ended or asks something else: enter its hand again. */
  | { readonly kind: 'wake'; readonly callId: CallId }
)

/** Carries answers, cancels and messages to whichever process drives the run. Items stay until they are removed. */
export interface Inbox {
  put(runId: RunId, item: InboxItem): MaybePromise<void>
  peek(runId: RunId): MaybePromise<readonly InboxItem[]>
  remove(runId: RunId, ids: readonly string[]): MaybePromise<void>
  /**
   * Calls `wake` soon after something was put for the run, by any process, and soon after the call if something is
   * there already. Sometimes needlessly; never from within the call. Returns how to stop watching.
   */
  watch(runId: RunId, wake: () => void): () => void
}

/** Decides who tries; the journal's key decides who wins. */
export interface Leases {
  /** True when `holder` now has the run for `ttlMs`. A holder may take its own lease again. */
  acquire(runId: RunId, holder: string, ttlMs: number): MaybePromise<boolean>
  release(runId: RunId, holder: string): MaybePromise<void>
}

/** Consents that outlive a run. */
export interface Grants {
  list(tool: string): MaybePromise<readonly Grant[]>
  add(grant: Grant): MaybePromise<void>
}
