import type { RunId } from '@tenon/kernel'
import type { ChangeFeed } from './change-feed.js'

/** Those who wait for news of a run, from this store at once and from elsewhere by the change feed. */
export type RunWatchers = {
  /** Calls `wake` after news of the run, from a microtask or a timer. Returns how to stop. */
  watch(runId: RunId, wake: () => void): () => void
  /** This store has news of the run. */
  tell(runId: RunId): void
}

/** @param newsElsewhere the runs among `watched` that other connections have changed since it was last asked */
export function runWatchers(
  feed: ChangeFeed,
  newsElsewhere: (watched: ReadonlySet<RunId>) => Iterable<RunId>,
): RunWatchers {
  const watchers = new Map<RunId, Set<() => void>>()
  let unlisten: (() => void) | undefined

  const wakeAll = (runId: RunId) => {
    for (const wake of [...(watchers.get(runId) ?? [])]) wake()
  }

  return {
    watch(runId, wake) {
      // Two watchers may pass the same function; each stops only itself.
      const own = () => wake()
      const watching = watchers.get(runId) ?? new Set()
      watchers.set(runId, watching.add(own))
      unlisten ??= feed.listen(() => {
        for (const changed of newsElsewhere(new Set(watchers.keys()))) wakeAll(changed)
      })
      return () => {
        watching.delete(own)
        if (watching.size === 0 && watchers.get(runId) === watching) watchers.delete(runId)
        if (watchers.size > 0) return
        unlisten?.()
        unlisten = undefined
      }
    },

    tell(runId) {
      if (watchers.has(runId)) queueMicrotask(() => wakeAll(runId))
    },
  }
}
