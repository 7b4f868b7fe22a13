import type { RunId } from '../content/ids.js'
import type { Inbox, InboxItem } from '../ports/journal.js'

/** An inbox within one process. A watcher is called in the microtask after the put. */
export function memoryInbox(): Inbox {
  const items = new Map<RunId, Map<string, InboxItem>>()
  const watchers = new Map<RunId, Set<() => void>>()

  return {
    put(runId, item) {
      const waiting = items.get(runId) ?? new Map<string, InboxItem>()
      if (waiting.has(item.id)) return
      items.set(runId, waiting.set(item.id, item))
      for (const wake of watchers.get(runId) ?? []) queueMicrotask(() => watchers.get(runId)?.has(wake) && wake())
    },

    peek(runId) {
      const waiting = items.get(runId)
      return waiting === undefined ? [] : [...waiting.values()]
    },

    remove(runId, ids) {
      const waiting = items.get(runId)
      if (waiting === undefined) return
      for (const id of ids) waiting.delete(id)
      if (waiting.size === 0) items.delete(runId)
    },

    watch(runId, wake) {
      // Two watchers may pass the same function; each stops only itself.
      const own = () => wake()
      const watching = watchers.get(runId) ?? new Set()
      watchers.set(runId, watching.add(own))
      // What came between the watcher's own look and now would be nobody's news.
      if (items.has(runId)) queueMicrotask(() => watching.has(own) && wake())
      return () => {
        watching.delete(own)
        if (watching.size === 0 && watchers.get(runId) === watching) watchers.delete(runId)
      }
    },
  }
}
