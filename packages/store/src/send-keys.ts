import type { RunId } from '@tenon/kernel'
import type { Connection } from './connection.js'

/** What a caller's key for a request stands for. */
export type SendKey = { readonly runId: RunId; readonly digest: string }

export type SendKeys = {
  /** What the key stands for: `mine` if it is new, else what it stood for before. */
  claim(owner: string, key: string, mine: SendKey): SendKey
  /** Forgets keys that are older than `before`, epoch milliseconds. */
  forget(before: number): void
}

/** Requests that a caller may repeat without a second run, by the key that the caller gave them. */
export function sendKeys(connection: Connection): SendKeys {
  const insert = connection.prepare(
    'INSERT OR IGNORE INTO send_keys (owner, key, run, digest, at) VALUES (?, ?, ?, ?, ?)',
  )
  const select = connection.prepare<{ run: string; digest: string }>(
    'SELECT run, digest FROM send_keys WHERE owner = ? AND key = ?',
  )
  const remove = connection.prepare('DELETE FROM send_keys WHERE at < ?')
  const get = (owner: string, key: string): SendKey | undefined => {
    const row = select.get(owner, key)
    return row && { runId: row.run as RunId, digest: row.digest }
  }
  return {
    claim(owner, key, mine) {
      if (insert.run(owner, key, mine.runId, mine.digest, Date.now()) > 0) return mine
      return get(owner, key) ?? mine
    },
    forget: (before) => void remove.run(before),
  }
}
