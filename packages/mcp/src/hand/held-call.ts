import type { InputNeed, Json, JsonObject } from '@tenon/kernel'
import { McpError } from '../errors.js'
import type { Progress, ServerRequest } from '../upstream/upstream.js'
import type { AskingDesk } from './asking-desk.js'
import { EventQueue } from './event-queue.js'
import { elicitResult, readWish } from './input-request.js'

/** Milliseconds that a question may stay open while its call is held at a server. */
const LONGEST_HOLD_MS = 60 * 60 * 1_000

export type HeldEvent =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'question'; readonly need: InputNeed }
  | { readonly kind: 'withdrawn'; readonly key: string }
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: unknown }

type Question = { readonly schema: JsonObject | undefined; readonly answer: (result: JsonObject) => void }

/**
 * A call at a server of the legacy era that may ask while it is open. It stays open over the asking, so the hand can
 * leave and come back; a restart of ours loses it.
 */
export class HeldCall {
  readonly events = new EventQueue<HeldEvent>()
  readonly #questions = new Map<string, Question>()
  readonly #abort = new AbortController()
  #asked = 0

  constructor(
    readonly desk: AskingDesk,
    params: JsonObject,
    meta: JsonObject,
  ) {
    desk.upstream
      .request('tools/call', params, {
        meta,
        signal: this.#abort.signal,
        onProgress: (progress) => this.events.push({ kind: 'progress', progress }),
        onServerRequest: (request) => this.#ask(request),
      })
      .then(
        (result) => this.events.push({ kind: 'result', result }),
        (error) => this.events.push({ kind: 'error', error }),
      )
  }

  cancel(): void {
    this.#abort.abort()
  }

  /** False when nobody waits for this answer (any more). */
  answer(key: string, answer: Json): boolean {
    const question = this.#questions.get(key)
    if (question === undefined) return false
    this.#questions.delete(key)
    question.answer(elicitResult(answer, question.schema))
    return true
  }

  get open(): boolean {
    return this.#questions.size > 0
  }

  async #ask({ method, params, signal }: ServerRequest): Promise<JsonObject> {
    const { desk } = this
    const wish = readWish(desk, method, params)
    if (wish.kind === 'automatic') return wish.answer(signal)
    if (this.#asked >= desk.maxRounds) {
      this.cancel()
      throw new McpError('mcp-too-many-rounds', `${desk.upstream.name} does not stop asking.`)
    }
    const key = `ask-${++this.#asked}`
    return new Promise((resolve) => {
      const drop = (): void => {
        clearTimeout(timer)
        if (this.#questions.delete(key)) this.events.push({ kind: 'withdrawn', key })
        resolve({ action: 'cancel' })
      }
      const timer = setTimeout(drop, LONGEST_HOLD_MS)
      timer.unref()
      signal.addEventListener('abort', drop, { once: true })
      const answer = (result: JsonObject): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', drop)
        resolve(result)
      }
      this.#questions.set(key, { schema: wish.need.schema, answer })
      this.events.push({ kind: 'question', need: { key, ...wish.need, resume: null } })
    })
  }
}
