/** How long a model may make no progress, in milliseconds. */
export type Patience = {
  /** Until the first sign of an answer. */
  readonly firstMs: number
  /** Between one sign and the next. Pings and comments are none. */
  readonly betweenMs: number
  /** Until the first byte of an answer that is not streamed: all of the writing comes before it. */
  readonly wholeMs: number
}

export const PATIENCE: Patience = Object.freeze({ firstMs: 120_000, betweenMs: 60_000, wholeMs: 600_000 })

/** After the writer said that it was through, how long stray bytes are waited for. */
const AFTER_DONE_MS = 200

export type Stall = 'first' | 'between' | 'after-done'

/** Counts the time without progress and calls back when it is too long. */
export class StallTimer {
  readonly #patience: Patience
  readonly #onStall: (stall: Stall) => void
  #timer: NodeJS.Timeout | undefined

  constructor(patience: Patience, isStream: boolean, onStall: (stall: Stall) => void) {
    this.#patience = patience
    this.#onStall = onStall
    this.#set('first', isStream ? patience.firstMs : patience.wholeMs)
  }

  progressed(): void {
    this.#set('between', this.#patience.betweenMs)
  }

  done(): void {
    this.#set('after-done', AFTER_DONE_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #set(stall: Stall, ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = Number.isFinite(ms) ? setTimeout(() => this.#onStall(stall), ms) : undefined
  }
}
