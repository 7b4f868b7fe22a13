const FIRST_MS = 50
const BETWEEN_MS = 400
const LONGEST_MS = 30_000
/** Quiet for this long, and the pace is the first one again. */
const CALM_MS = 10_000

/** When a list may be read again that its server says has changed: soon, then less and less often while it goes on. */
export class RefreshPace {
  #timer: NodeJS.Timeout | undefined
  #lastAt = 0
  #gapMs = BETWEEN_MS

  constructor(
    readonly read: () => Promise<unknown>,
    readonly onThrottled: () => void,
  ) {}

  changed(): void {
    if (this.#timer !== undefined) return
    const since = Date.now() - this.#lastAt
    if (since > CALM_MS) this.#gapMs = BETWEEN_MS
    const wait = Math.max(FIRST_MS, this.#gapMs - since)
    if (wait > FIRST_MS) {
      // Twice in a row may be chance; from then on it is a habit of the server.
      if (this.#gapMs > BETWEEN_MS) this.onThrottled()
      this.#gapMs = Math.min(this.#gapMs * 2, LONGEST_MS)
    }
    this.#readIn(wait)
  }

  /** The server came back: what is held is old, whatever the pace. */
  cameBack(): void {
    clearTimeout(this.#timer)
    this.#readIn(FIRST_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #readIn(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#lastAt = Date.now()
      this.read().catch(() => {})
    }, ms)
    this.#timer.unref()
  }
}
