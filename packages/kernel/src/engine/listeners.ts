import type { RunId } from '../content/ids.js'
import type { LiveItem } from './live.js'

type Listener = (item: LiveItem) => void

/** Who is told what is live. Those who follow one run cost the others nothing, however many they are. */
export class Listeners {
  readonly #ofAll = new Set<Listener>()
  readonly #ofRun = new Map<RunId, Set<Listener>>()

  get any(): boolean {
    return this.#ofAll.size > 0 || this.#ofRun.size > 0
  }

  tell(item: LiveItem): void {
    for (const listener of this.#ofAll) listener(item)
    const own = this.#ofRun.get(item.runId)
    if (own) for (const listener of own) listener(item)
  }

  /** Returns how to stop. The same function may be given twice. */
  add(listener: Listener): () => void {
    const own: Listener = (item) => listener(item)
    this.#ofAll.add(own)
    return () => void this.#ofAll.delete(own)
  }

  addFor(runId: RunId, listener: Listener): () => void {
    const own: Listener = (item) => listener(item)
    const listeners = this.#ofRun.get(runId) ?? new Set()
    this.#ofRun.set(runId, listeners.add(own))
    return () => {
      listeners.delete(own)
      if (listeners.size === 0 && this.#ofRun.get(runId) === listeners) this.#ofRun.delete(runId)
    }
  }
}
