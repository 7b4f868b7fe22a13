import { createHmac, timingSafeEqual } from 'node:crypto'
import { CallId, type Engine, isTenonError, RunId } from '@tenon/kernel'
import type { PushTarget } from './wire/dialect.js'

export type PushInboxOptions = {
  /** Where peers reach it, without a slash at the end. */
  readonly url: string
  /** Tokens are made from it, so that they hold across restarts and are kept nowhere. */
  readonly key: Uint8Array
  readonly engine: () => Engine
}

/**
 * Where peers tell that a task moved on. A notification is only a knock: whatever it says, the task is looked at, so
 * a forged one that had the token would gain nothing but a look.
 */
export class PushInbox {
  readonly #listening = new Map<string, () => void>()

  constructor(readonly options: PushInboxOptions) {}

  target(runId: RunId, callId: CallId): PushTarget {
    const place = `${encodeURIComponent(runId)}/${encodeURIComponent(callId)}`
    return { url: `${this.options.url}/${place}`, token: this.#token(runId, callId) }
  }

  /** `heard` is called at each knock, until the function that comes back is. */
  listen(runId: RunId, callId: CallId, heard: () => void): () => void {
    const place = `${runId}/${callId}`
    this.#listening.set(place, heard)
    return () => {
      if (this.#listening.get(place) === heard) this.#listening.delete(place)
    }
  }

  /** A knock for a call. False when the token is not the one that was given out for it. */
  async receive(run: string, call: string, token: string | undefined): Promise<boolean> {
    const [runId, callId] = [RunId(run), CallId(call)]
    const [given, wanted] = [Buffer.from(token ?? ''), Buffer.from(this.#token(runId, callId))]
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return false
    const heard = this.#listening.get(`${runId}/${callId}`)
    if (heard !== undefined) heard()
    else
      await this.options
        .engine()
        .wake(runId, callId)
        .catch((error) => {
          // A run that is gone needs no news.
          if (!isTenonError(error)) throw error
        })
    return true
  }

  #token(runId: RunId, callId: CallId): string {
    return createHmac('sha256', this.options.key).update(`push\n${runId}\n${callId}`).digest('base64url')
  }
}
