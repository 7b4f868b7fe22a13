/** Time, so that tests and rehearsals can hold it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Calls back once after `ms`; returns how to take that back. Must not keep a process alive by itself. */
  after(ms: number, callback: () => void): () => void
}
