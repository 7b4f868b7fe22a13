/** Time, so that tests and rehearsals can hold it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Calls back once after `ms`; returns how to take that back. A `background` timer never keeps a process alive. */
  after(ms: number, callback: () => void, background?: boolean): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback, background = false) {
    const timer = setTimeout(callback, ms)
    if (background) timer.unref()
    return () => clearTimeout(timer)
  },
}
