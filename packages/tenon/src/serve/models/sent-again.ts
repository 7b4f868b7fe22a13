import { createHash } from 'node:crypto'
import { principalOf } from '@tenon/a2a'
import { canonicalJson, type JsonObject } from '@tenon/kernel'
import type { Caller } from '../gate.js'
import type { Segment } from './take-input.js'

const MOST = 1_000

/**
 * Clients of the OpenAI API send a request again by themselves when an answer takes longer than they like to wait, ten
 * minutes as a rule, and say so in a header. Such a request goes on waiting for the run that it began before: another
 * run would do everything once more.
 */
export class SentAgain {
  readonly #segments = new Map<string, Segment>()

  /** The part of a run that the same request of the same caller began. Undefined for one that is sent for the first time. */
  find(caller: Caller, body: JsonObject, retryCount: string | undefined): Segment | undefined {
    return Number(retryCount ?? 0) > 0 ? this.#segments.get(keyOf(caller, body)) : undefined
  }

  /** Until the client has its answer. */
  note(caller: Caller, body: JsonObject, segment: Segment): void {
    const key = keyOf(caller, body)
    this.#segments.delete(key)
    this.#segments.set(key, segment)
    if (this.#segments.size > MOST) for (const oldest of this.#segments.keys()) if (this.#segments.delete(oldest)) break
  }

  forget(caller: Caller, body: JsonObject): void {
    this.#segments.delete(keyOf(caller, body))
  }
}

const keyOf = (caller: Caller, body: JsonObject): string =>
  createHash('sha256')
    .update(JSON.stringify([principalOf(caller), canonicalJson(body)]))
    .digest('base64url')
