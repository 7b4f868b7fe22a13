import { type Clock, systemClock } from '@tenon/kernel'
import type { Store } from '@tenon/store'

const HOUR_MS = 3_600_000

export type RetentionOptions = {
  readonly store: Pick<Store, 'prune'>
  /** Milliseconds that runs are kept after they ended. */
  readonly keepMs: number
  readonly clock?: Clock
  readonly report: (error: unknown) => void
}

/**
 * Removes runs whose time is over: now, and from then on every hour, or as often as the time is shorter than that. The
 * file does not shrink, because that would keep writers waiting; its space is used again. @returns how to stop
 */
export function startRetention({ store, keepMs, clock = systemClock, report }: RetentionOptions): () => void {
  let stop = (): void => undefined
  let stopped = false
  const look = async (): Promise<void> => {
    try {
      await store.prune({ olderThan: clock.now() - keepMs, vacuum: false })
    } catch (error) {
      if (!stopped) report(error)
    }
    if (!stopped) stop = clock.after(Math.min(keepMs, HOUR_MS), () => void look(), true)
  }
  void look()
  return () => {
    stopped = true
    stop()
  }
}
