import type { SqliteDatabase, SqliteDriver, SqlRow, SqlValue } from './driver.js'
import { storeFailure } from './failure.js'

/** A prepared statement whose failures are StoreErrors. */
export type Prepared<Row extends SqlRow = SqlRow> = {
  /** Rows changed. */
  run(...values: readonly SqlValue[]): number
  /** The new row's id; undefined where a conflict left the table as it was. */
  insert(...values: readonly SqlValue[]): number | undefined
  get(...values: readonly SqlValue[]): Row | undefined
  all(...values: readonly SqlValue[]): Row[]
}

export type ConnectionOptions = {
  readonly readOnly?: boolean
  /** How long a statement waits for other processes. */
  readonly busyMs: number
  /** Sync every commit to disk, not only those that ask for it. */
  readonly alwaysSync?: boolean
}

/** One connection to one database file. Everything on it is synchronous. */
export class Connection {
  readonly #db: SqliteDatabase
  readonly #alwaysSync: boolean
  readonly #begin: Prepared
  readonly #commit: Prepared
  #inTransaction = false
  #syncs = false
  #isOpen = true

  /** @throws StoreError that names the file */
  constructor(
    driver: SqliteDriver,
    readonly file: string,
    options: ConnectionOptions,
  ) {
    this.#alwaysSync = options.alwaysSync ?? false
    try {
      this.#db = new driver.DatabaseSync(file, { readOnly: options.readOnly ?? false })
    } catch (cause) {
      throw storeFailure(cause, file)
    }
    this.exec(`PRAGMA busy_timeout = ${Math.trunc(options.busyMs)}`)
    this.#begin = this.prepare('BEGIN IMMEDIATE')
    this.#commit = this.prepare('COMMIT')
  }

  exec(sql: string): void {
    try {
      this.#db.exec(sql)
    } catch (cause) {
      throw storeFailure(cause)
    }
  }

  prepare<Row extends SqlRow = SqlRow>(sql: string): Prepared<Row> {
    const attempt = <T>(work: () => T): T => {
      try {
        return work()
      } catch (cause) {
        throw storeFailure(cause)
      }
    }
    const statement = attempt(() => this.#db.prepare(sql))
    return {
      run(...values) {
        try {
          return Number(statement.run(...values).changes)
        } catch (cause) {
          throw storeFailure(cause)
        }
      },
      insert: (...values) =>
        attempt(() => {
          const { changes, lastInsertRowid } = statement.run(...values)
          return Number(changes) === 0 ? undefined : Number(lastInsertRowid)
        }),
      get: (...values) => attempt(() => statement.get(...values) as Row | undefined),
      all: (...values) => attempt(() => statement.all(...values) as Row[]),
    }
  }

  /** The first column of the first row. */
  pragma(name: string): SqlValue | undefined {
    const row = this.prepare(`PRAGMA ${name}`).get()
    return row === undefined ? undefined : Object.values(row)[0]
  }

  /**
   * All of `work` or nothing, with the write lock from the start so that what it reads still holds when it writes.
   * Inside of another transaction it is a part of that one.
   */
  transaction<T>(work: () => T): T {
    if (this.#inTransaction) return work()
    this.#begin.run()
    this.#inTransaction = true
    try {
      const result = work()
      this.#commit.run()
      return result
    } catch (thrown) {
      this.#rollBack()
      throw thrown
    } finally {
      this.#inTransaction = false
    }
  }

  /** Whether commits from now on reach the disk before they return; they always reach the operating system. */
  syncCommits(sync: boolean): void {
    // SQLite settles it when a transaction begins: what is a part of one is synced with it.
    if (this.#inTransaction) return
    const wanted = sync || this.#alwaysSync
    if (wanted === this.#syncs) return
    this.exec(wanted ? 'PRAGMA synchronous = FULL' : 'PRAGMA synchronous = NORMAL')
    this.#syncs = wanted
  }

  /**
   * Moves what the write-ahead log holds into the file, as far as nobody else is at work: the driver lets go of a
   * connection only when its statements are collected, so SQLite's own checkpoint at the end may never come.
   */
  checkpoint(): void {
    try {
      this.#db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // The log stays and is read by whoever opens the file next.
    }
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#db.close()
  }

  #rollBack(): void {
    try {
      this.#db.exec('ROLLBACK')
    } catch {
      // SQLite has rolled back by itself after a full disk or an I/O error.
    }
  }
}
