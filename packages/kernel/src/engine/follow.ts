import type { RunId } from '../content/ids.js'
import { KernelError } from '../errors/kernel-errors.js'
import type { Clock } from '../ports/clock.js'
import type { Journal } from '../ports/journal.js'
import type { RunEvent } from '../run/events.js'
import { RunState } from '../run/state.js'
import type { LiveItem } from './live.js'

export type FollowOptions = { readonly after?: number; readonly signal?: AbortSignal; readonly untilParked?: boolean }

export type FollowSource = {
  readonly journal: Journal
  readonly clock: Clock
  /** To what is live of the run. */
  listen(listener: (item: LiveItem) => void): () => void
  drivenHere(): boolean
}

/** Items that may wait for a slow reader. Past it the reader goes back to the journal, which has every event. */
const QUEUE = 5_000
/** Events that are read at once. */
const PAGE = 1_000
/** How often the journal is looked at for a run that another process drives. */
const POLL_MS = 50
/** The same for a run of this process, whose events come by themselves. */
const GLANCE_MS = 1_000

/**
 * A cursor over the journal, then over what is live. Each event comes once and in order, whoever drives the run;
 * a reader that falls behind loses deltas and no event.
 */
export async function* follow(runId: RunId, options: FollowOptions, source: FollowSource): AsyncGenerator<LiveItem> {
  const { after = 0, signal, untilParked = false } = options
  const live = new LiveQueue(source, signal)
  // Whether it has ended shows its last event; whether it is parked show only all.
  const place = new Place(after, untilParked ? 0 : Math.max(0, after - 1))
  try {
    let known = false
    while (!signal?.aborted) {
      live.startAgain()
      const events = await source.journal.load(runId, place.seq, PAGE)
      if (!known && events.length === 0) {
        if (place.seq === 0) throw new KernelError('run-unknown', `There is no run ${runId} in this store.`)
        // The reader asks for what comes after the end: then only the beginning tells.
        place.seq = 0
        continue
      }
      known = true
      for (const event of events) if (place.take(event)) yield { kind: 'event', runId, event }
      if (events.length === PAGE) continue
      while (!live.lost && !signal?.aborted) {
        if (place.ended) return
        const items = live.take()
        if (items.length === 0) {
          if (untilParked && place.openInputs > 0 && !source.drivenHere() && (await isParked(runId, source))) return
          if (await live.wait()) continue
          break
        }
        for (const item of items) {
          if (item.kind !== 'event') yield item
          else if (item.event.seq > place.seq + 1) live.lost = true
          else if (place.take(item.event)) yield item
          if (live.lost) break
        }
      }
    }
  } finally {
    live.stop()
  }
}

async function isParked(runId: RunId, source: FollowSource): Promise<boolean> {
  const run = RunState.of(await source.journal.load(runId))
  return run.inputs.size > 0 && run.idle
}

/** How far a reader has come. It folds nothing: reading must not cost what driving costs. */
class Place {
  ended = false
  openInputs = 0

  constructor(
    readonly after: number,
    public seq: number,
  ) {}

  /** True when the reader wants the event; false when it had it before or asked for later ones. */
  take(event: RunEvent): boolean {
    if (event.seq <= this.seq) return false
    this.seq = event.seq
    if (event.kind === 'run-ended') this.ended = true
    else if (event.kind === 'input-requested') this.openInputs++
    else if (event.kind === 'input-answered') this.openInputs--
    return event.seq > this.after
  }
}

/** What is published live for one run, up to a bound. */
class LiveQueue {
  /** Something was dropped: the journal has to be read again. */
  lost = false
  #items: LiveItem[] = []
  #wake: (() => void) | undefined
  readonly #stopListening: () => void
  readonly #onAbort = (): void => this.#wake?.()

  constructor(
    readonly source: FollowSource,
    readonly signal: AbortSignal | undefined,
  ) {
    this.#stopListening = source.listen((item) => {
      if (this.#items.length >= QUEUE) {
        this.#items = []
        this.lost = true
      }
      if (!this.lost) this.#items.push(item)
      this.#wake?.()
    })
    signal?.addEventListener('abort', this.#onAbort)
  }

  /** Before the journal is read: what comes from now on is in the queue or in the journal. */
  startAgain(): void {
    this.lost = false
  }

  take(): readonly LiveItem[] {
    const items = this.#items
    if (items.length > 0) this.#items = []
    return items
  }

  /** Waits for an item or for the time to look at the journal. True when there is an item. */
  async wait(): Promise<boolean> {
    const here = this.source.drivenHere()
    await new Promise<void>((resolve) => {
      const stopTimer = this.source.clock.after(here ? GLANCE_MS : POLL_MS, resolve, here)
      this.#wake = () => {
        stopTimer()
        resolve()
      }
      if (this.#items.length > 0 || this.signal?.aborted) this.#wake()
    })
    this.#wake = undefined
    return this.#items.length > 0
  }

  stop(): void {
    this.#stopListening()
    this.signal?.removeEventListener('abort', this.#onAbort)
  }
}
