import type { Engine, RunId } from '@tenon/kernel'

/**
 * Tasks that a run gave away without waiting for them. Nobody receives what they bring once the run has ended, so each
 * is told to stop then; one that has ended by itself does not mind. A host that only goes away leaves them at work.
 */
export class StopWithRun {
  readonly #leave = new AbortController()
  readonly #waiting = new Set<Promise<void>>()

  watch(engine: Engine, runId: RunId, stop: () => Promise<unknown>): void {
    const watching = this.#watch(engine, runId, stop).finally(() => this.#waiting.delete(watching))
    this.#waiting.add(watching)
  }

  /** Waits for what is being told to stop, and forgets the rest. */
  async close(): Promise<void> {
    this.#leave.abort()
    await Promise.all(this.#waiting)
  }

  async #watch(engine: Engine, runId: RunId, stop: () => Promise<unknown>): Promise<void> {
    try {
      for await (const item of engine.follow(runId, { signal: this.#leave.signal }))
        if (item.kind === 'event' && item.event.kind === 'run-ended') break
      if ((await engine.state(runId)).ended) await stop()
    } catch {
      // A run that cannot be followed any more is somebody else's.
    }
  }
}
