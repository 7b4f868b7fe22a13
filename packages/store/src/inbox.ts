import type { Inbox, InboxItem, RunId } from '@tenon/kernel'
import type { ChangeFeed } from './change-feed.js'
import type { Connection } from './connection.js'
import { runWatchers } from './run-watchers.js'

/** The inbox of this store: its methods answer at once. */
export type SqliteInbox = Inbox & {
  put(runId: RunId, item: InboxItem): void
  peek(runId: RunId): readonly InboxItem[]
  remove(runId: RunId, ids: readonly string[]): void
}

export function sqliteInbox(connection: Connection, feed: ChangeFeed): SqliteInbox {
  const insert = connection.prepare('INSERT OR IGNORE INTO inbox (run, id, body) VALUES (?, ?, ?)')
  const select = connection.prepare<{ body: string }>('SELECT body FROM inbox WHERE run = ? ORDER BY number')
  const remove = connection.prepare('DELETE FROM inbox WHERE run = ? AND id = ?')
  const selectLast = connection.prepare<{ last: number | null }>('SELECT max(number) AS last FROM inbox')
  const selectNews = connection.prepare<{ run: string; last: number }>(
    'SELECT run, max(number) AS last FROM inbox WHERE number > ? GROUP BY run',
  )

  let seen = 0
  const watchers = runWatchers(feed, () => {
    const news = selectNews.all(seen)
    for (const { last } of news) seen = Math.max(seen, last)
    return news.map(({ run }) => run as RunId)
  })

  return {
    put(runId, item) {
      connection.syncCommits(false)
      if (insert.run(runId, item.id, JSON.stringify(item)) > 0) watchers.tell(runId)
    },

    peek: (runId) => select.all(runId).map(({ body }) => JSON.parse(body) as InboxItem),

    remove(runId, ids) {
      if (ids.length === 0) return
      connection.syncCommits(false)
      if (ids.length === 1) remove.run(runId, ids[0] ?? '')
      else
        connection.transaction(() => {
          for (const id of ids) remove.run(runId, id)
        })
    },

    watch(runId, wake) {
      // Whoever begins to watch looks into the inbox by itself; only what comes after is news.
      seen = Math.max(seen, selectLast.get()?.last ?? 0)
      return watchers.watch(runId, wake)
    },
  }
}
