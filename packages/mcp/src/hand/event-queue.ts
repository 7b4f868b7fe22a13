/** Hands values from callbacks to one reader, in order. */
export class EventQueue<T> {
  readonly #values: T[] = []
  #wake: (() => void) | undefined

  push(value: T): void {
    this.#values.push(value)
    this.#wake?.()
  }

  async next(): Promise<T> {
    for (;;) {
      const value = this.#values.shift()
      if (value !== undefined) return value
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }
}
