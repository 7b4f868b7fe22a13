const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
/** Ends in a row, each soon after its start, after which nobody starts the server again by itself. */
const MOST_ENDS = 4
/** Milliseconds that a start must last to count as a good one. */
const STEADY_MS = 30_000

/** When a server that ended may be started again. */
export class Restarts {
  #ends = 0
  #openedAt: number | undefined

  constructor(readonly now: () => number = Date.now) {}

  opened(): void {
    this.#openedAt = this.now()
  }

  /** The pause before the next start; undefined when it has ended too often. */
  ended(): number | undefined {
    if (this.#openedAt !== undefined && this.now() - this.#openedAt > STEADY_MS) this.#ends = 0
    this.#openedAt = undefined
    this.#ends++
    if (this.#ends >= MOST_ENDS) return undefined
    return Math.min(FIRST_PAUSE_MS * 2 ** (this.#ends - 1), LONGEST_PAUSE_MS)
  }

  /** Somebody wants it anyway. */
  forgive(): void {
    this.#ends = 0
  }
}
