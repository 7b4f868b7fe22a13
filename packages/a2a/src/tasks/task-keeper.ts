import { type Clock, type Engine, type RunId, systemClock } from '@tenon/kernel'
import type { Store } from '@tenon/store'
import { CLIENT_PRINCIPALS } from './caller.js'

export type TaskKeeperOptions = {
  readonly engine: Engine
  readonly store: Pick<Store, 'abandoned' | 'sendKeys'>
  /** Whether a run may be driven here; all may if absent. A store may hold runs of other hosts with agents of the same name. */
  readonly isOurs?: (runId: RunId) => boolean
  readonly clock?: Clock
  /** How often to look, in milliseconds; 500 if absent. */
  readonly everyMs?: number
  /** Told of runs that could not be taken up, and of a store that could not be looked at. */
  readonly report?: (error: unknown) => void
}

const KEYS_LIVE_MS = 24 * 3_600_000
/** A run that could not be taken up, or is none of ours, is left alone for so long. */
const REST_MS = 30_000

/**
 * Takes up tasks that nobody drives: those of a process that died, of this one before it was started again, and those
 * for which word has come. Parked tasks are not looked at.
 */
export class TaskKeeper {
  readonly #clock: Clock
  readonly #driven = new Set<RunId>()
  readonly #resting = new Map<RunId, number>()
  #next: (() => void) | undefined
  #stopped = false

  constructor(readonly options: TaskKeeperOptions) {
    this.#clock = options.clock ?? systemClock
  }

  start(): void {
    this.#look()
    this.#schedule()
  }

  stop(): void {
    this.#stopped = true
    this.#next?.()
  }

  #schedule(): void {
    this.#next = this.#clock.after(
      this.options.everyMs ?? 500,
      () => {
        if (this.#stopped) return
        try {
          this.#look()
        } catch (error) {
          // Such as a store that is locked just now: the next look finds what this one could not.
          this.options.report?.(error)
        }
        this.#schedule()
      },
      true,
    )
  }

  #look(): void {
    const { store, engine, report, isOurs } = this.options
    const now = this.#clock.now()
    store.sendKeys.forget(now - KEYS_LIVE_MS)
    for (const runId of store.abandoned(CLIENT_PRINCIPALS)) {
      if (this.#driven.has(runId) || (this.#resting.get(runId) ?? 0) > now) continue
      if (isOurs?.(runId) === false) {
        this.#resting.set(runId, now + REST_MS)
        continue
      }
      this.#resting.delete(runId)
      this.#driven.add(runId)
      engine
        .drive(runId)
        .catch((error) => {
          this.#resting.set(runId, now + REST_MS)
          report?.(error)
        })
        .finally(() => this.#driven.delete(runId))
    }
  }
}
