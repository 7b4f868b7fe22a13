import type { Grant, Grants } from '@tenon/kernel'
import type { Connection } from './connection.js'

/** Consents that outlive their run, and how a person looks them over and takes them back. */
export interface SqliteGrants extends Grants {
  list(tool: string): readonly Grant[]
  add(grant: Grant): void
  all(): readonly Grant[]
  /** False if there was none of that id. */
  revoke(grantId: string): boolean
}

export function sqliteGrants(connection: Connection): SqliteGrants {
  const insert = connection.prepare(
    `INSERT INTO grants (id, tool, expires, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET tool = excluded.tool, expires = excluded.expires, body = excluded.body`,
  )
  const select = connection.prepare<{ body: string }>('SELECT body FROM grants WHERE tool = ? ORDER BY number')
  const selectAll = connection.prepare<{ body: string }>('SELECT body FROM grants ORDER BY number')
  const remove = connection.prepare('DELETE FROM grants WHERE id = ?')
  const parse = ({ body }: { readonly body: string }) => JSON.parse(body) as Grant

  return {
    list: (tool) => select.all(tool).map(parse),
    all: () => selectAll.all().map(parse),
    add(grant) {
      connection.syncCommits(false)
      insert.run(grant.grantId, grant.tool, grant.expiresAt ?? null, JSON.stringify(grant))
    },
    revoke(grantId) {
      // Taken back must stay taken back, whatever happens to the machine.
      connection.syncCommits(true)
      return remove.run(grantId) > 0
    },
  }
}
