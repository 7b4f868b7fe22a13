import type { Connection } from './connection.js'
import { StoreError } from './errors.js'

const SHORTEST_MS = 20
const LONGEST_MS = 100

/**
 * Notices that another connection, in this process or another one, changed the file: SQLite counts that in
 * `PRAGMA data_version`. Looks every 20 to 100 ms and only while somebody listens, more often while there are changes,
 * and keeps no process alive.
 */
export class ChangeFeed {
  readonly #listeners = new Set<() => void>()
  readonly #readVersion: () => number
  /** Undefined: the next look tells. To read it only then makes listening cost nothing. */
  #version: number | undefined
  #waitMs = SHORTEST_MS
  #timer: NodeJS.Timeout | undefined

  constructor(connection: Connection) {
    const version = connection.prepare<{ data_version: number }>('PRAGMA data_version')
    this.#readVersion = () => version.get()?.data_version ?? 0
  }

  /** Returns how to stop. */
  listen(changed: () => void): () => void {
    this.#listeners.add(changed)
    if (this.#timer === undefined) {
      this.#version = undefined
      this.#waitMs = SHORTEST_MS
      this.#schedule()
    }
    return () => {
      this.#listeners.delete(changed)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  /** The next look tells whether there was a change or not. */
  doubt(): void {
    this.#version = undefined
  }

  close(): void {
    this.#listeners.clear()
    this.#stop()
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#look(), this.#waitMs)
    this.#timer.unref()
  }

  #look(): void {
    this.#schedule()
    try {
      const version = this.#readVersion()
      const isChanged = version !== this.#version
      this.#waitMs = isChanged ? SHORTEST_MS : Math.min(LONGEST_MS, this.#waitMs * 1.5)
      if (isChanged) for (const changed of [...this.#listeners]) changed()
      this.#version = version
    } catch (thrown) {
      // The file cannot be read just now. The version stays as it was, so that the next look tells what this one missed.
      if (!(thrown instanceof StoreError)) throw thrown
      this.#waitMs = LONGEST_MS
    }
  }
}
