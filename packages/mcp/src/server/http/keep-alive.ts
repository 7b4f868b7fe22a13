/** Beats for everything that waits, from one timer however much it is. */
export class KeepAlive {
  readonly #waiting = new Set<() => void>()
  readonly #everyMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** Calls `beat` again and again until the returned function is called. */
  add(beat: () => void): () => void {
    this.#waiting.add(beat)
    this.#timer ??= setInterval(() => {
      for (const one of this.#waiting) one()
    }, this.#everyMs).unref()
    return () => {
      this.#waiting.delete(beat)
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#waiting.clear()
  }
}
