import type { Inbox, InboxItem, RunId } from '@tenon/kernel'
import type { ChangeFeed } from './change-feed.js'
import type { Connection } from './connection.js'

/** The inbox of this store: its methods answer at once. */
export interface SqliteInbox extends Inbox {
  put(runId: RunId, item: InboxItem): void
  peek(runId: RunId): readonly InboxItem[]
  remove(runId: RunId, ids: readonly string[]): void
}

/** A watcher is woken from a microtask by what this store puts, and by the change feed for what others put. */
export function sqliteInbox(connection: Connection, feed: ChangeFeed): SqliteInbox {
  const insert = connection.prepare('INSERT OR IGNORE INTO inbox (run, id, body) VALUES (?, ?, ?)')
  const select = connection.prepare<{ body: string }>('SELECT body FROM inbox WHERE run = ? ORDER BY number')
  const remove = connection.prepare('DELETE FROM inbox WHERE run = ? AND id = ?')
  const selectNews = connection.prepare<{ run: RunId; last: number }>(
    'SELECT run, max(number) AS last FROM inbox WHERE number > ? GROUP BY run',
  )
  const watchers = new Map<RunId, Set<() => void>>()
  /** Watched since the last look: what came between the watcher's own look and the watch would be nobody's news. */
  const unseen = new Set<RunId>()
  let seen = 0
  let unlisten: (() => void) | undefined

  const wakeAll = (runId: RunId) => {
    for (const wake of [...(watchers.get(runId) ?? [])]) wake()
  }

  const lookForNews = () => {
    for (const runId of unseen) if (select.get(runId) !== undefined) wakeAll(runId)
    unseen.clear()
    for (const { run, last } of selectNews.all(seen)) {
      seen = Math.max(seen, last)
      wakeAll(run)
    }
  }

  return {
    put(runId, item) {
      connection.syncCommits(false)
      const isNew = insert.run(runId, item.id, JSON.stringify(item)) > 0
      if (isNew && watchers.has(runId)) queueMicrotask(() => wakeAll(runId))
    },

    peek: (runId) => select.all(runId).map(({ body }) => JSON.parse(body) as InboxItem),

    remove(runId, ids) {
      if (ids.length === 0) return
      connection.syncCommits(false)
      connection.transaction(() => {
        for (const id of ids) remove.run(runId, id)
      })
    },

    watch(runId, wake) {
      // Two watchers may pass the same function; each stops only itself.
      const own = () => wake()
      const watching = watchers.get(runId) ?? new Set()
      watchers.set(runId, watching.add(own))
      unseen.add(runId)
      unlisten ??= feed.listen(lookForNews)
      feed.doubt()
      return () => {
        watching.delete(own)
        if (watching.size > 0 || watchers.get(runId) !== watching) return
        watchers.delete(runId)
        unseen.delete(runId)
        if (watchers.size > 0) return
        unlisten?.()
        unlisten = undefined
      }
    },
  }
}
