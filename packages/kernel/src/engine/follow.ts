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
  listen(listener: (item: LiveItem) => void): () => void
  drivenHere(): boolean
}

/** Items that may wait for a slow reader. Past it the reader goes back to the journal, which has every event. */
const QUEUE = 5_000
/** How often the journal is looked at for a run that another process drives. */
const POLL_MS = 50

/**
 * A cursor over the journal, then over what is live. Each event comes once and in order, whoever drives the run;
 * a reader that falls behind loses deltas and no event.
 */
export async function* follow(runId: RunId, options: FollowOptions, source: FollowSource): AsyncGenerator<LiveItem> {
  const { after = 0, signal, untilParked = false } = options
  const run = new RunState()
  let queue: LiveItem[] = []
  let behind = false
  let wake: (() => void) | undefined
  const stop = source.listen((item) => {
    if (item.runId !== runId) return
    if (queue.length >= QUEUE) {
      queue = []
      behind = true
    }
    if (!behind) queue.push(item)
    wake?.()
  })
  const onAbort = (): void => wake?.()
  signal?.addEventListener('abort', onAbort)
  try {
    let known = false
    for (;;) {
      behind = false
      const events = await source.journal.load(runId, run.seq)
      if (events.length > 0) known = true
      if (!known) throw new KernelError('run-unknown', `There is no run ${runId} in this store.`)
      for (const event of events) yield* once(event, run, runId, after)
      while (!behind && !signal?.aborted) {
        if (run.ended) return
        const items = queue
        queue = []
        if (items.length === 0) {
          if (untilParked && run.inputs.size > 0 && run.idle && !source.drivenHere()) return
          const live = source.drivenHere()
          await new Promise<void>((resolve) => {
            const stopTimer = source.clock.after(live ? 1_000 : POLL_MS, resolve, live)
            wake = () => {
              stopTimer()
              resolve()
            }
            if (queue.length > 0) wake()
          })
          wake = undefined
          if (queue.length === 0) break
          continue
        }
        for (const item of items) {
          if (item.kind !== 'event') yield item
          else if (item.event.seq > run.seq + 1) behind = true
          else yield* once(item.event, run, runId, after)
          if (behind) break
        }
      }
      if (signal?.aborted) return
    }
  } finally {
    stop()
    signal?.removeEventListener('abort', onAbort)
  }
}

function* once(event: RunEvent, run: RunState, runId: RunId, after: number): Generator<LiveItem> {
  if (event.seq <= run.seq) return
  run.apply(event)
  if (event.seq > after) yield { kind: 'event', runId, event }
}
