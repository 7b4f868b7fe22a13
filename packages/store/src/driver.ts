import { createRequire } from 'node:module'
import { StoreError } from './errors.js'

export type SqlValue = null | number | string | Uint8Array
export type SqlRow = Readonly<Record<string, SqlValue>>

/** What the store uses of `StatementSync`. */
interface SqliteStatement {
  run(...values: readonly SqlValue[]): {
    readonly changes: number | bigint
    readonly lastInsertRowid: number | bigint
  }
  get(...values: readonly SqlValue[]): unknown
  all(...values: readonly SqlValue[]): unknown[]
}

/** What the store uses of `DatabaseSync`. */
export interface SqliteDatabase {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  close(): void
}

/** The part of the `node:sqlite` API that both drivers have in common and the store needs. */
export interface SqliteDriver {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean }) => SqliteDatabase
  backup(source: SqliteDatabase, file: string, options?: { readonly rate?: number }): Promise<number>
}

/**
 * Node's own SQLite from the versions on that load it without an experimental warning, else the same API from
 * `@photostructure/sqlite`. Loaded here and not at import, so that a command that opens no store does not pay for it.
 *
 * @throws StoreError `store-driver`
 */
export function loadDriver(nodeVersion: string = process.versions.node): SqliteDriver {
  const require = createRequire(import.meta.url)
  try {
    const driver: unknown = hasQuietSqlite(nodeVersion) ? require('node:sqlite') : require('@photostructure/sqlite')
    return driver as SqliteDriver
  } catch (cause) {
    throw new StoreError(
      'store-driver',
      `There is no SQLite for Node ${nodeVersion} on ${process.platform}-${process.arch}. Install Node 24.15 or newer, which brings its own.`,
      { cause },
    )
  }
}

/** `node:sqlite` became a release candidate, and quiet, in 24.15 and 25.7. */
export function hasQuietSqlite(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  return major >= 26 || (major === 25 && minor >= 7) || (major === 24 && minor >= 15)
}
