import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Connection, type ConnectionOptions } from './connection.js'
import type { SqliteDriver } from './driver.js'
import { StoreError } from './errors.js'
import { storeFailure } from './failure.js'
import { APPLICATION_ID, MIGRATIONS } from './migrations.js'

export type DatabaseOptions = Omit<ConnectionOptions, 'readOnly'> & { readonly maxBytes?: number }

/**
 * Opens the file for writing at the newest version, making or migrating it where needed.
 *
 * @throws StoreError `store-newer`, `store-foreign`, `store-corrupt`, `store-read-only`, `store-full`, `store-busy`;
 *   the file is as it was then.
 */
export function openDatabase(driver: SqliteDriver, file: string, options: DatabaseOptions): Connection {
  if (existsSync(file)) namingTheFile(file, () => refuseWhatIsNotOurs(driver, file, options))
  else makeFolder(file)
  return namingTheFile(file, () => openForWriting(driver, file, options))
}

function openForWriting(driver: SqliteDriver, file: string, options: DatabaseOptions): Connection {
  const connection = new Connection(driver, file, options)
  try {
    enterWalMode(connection, options.busyMs)
    connection.exec('PRAGMA journal_size_limit = 67108864; PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY')
    connection.exec('PRAGMA synchronous = NORMAL')
    connection.syncCommits(false)
    if (options.maxBytes !== undefined) limitSize(connection, options.maxBytes)
    migrate(connection)
    return connection
  } catch (thrown) {
    connection.close()
    throw thrown
  }
}

/** Whoever opens a store chose the file: here, and nowhere later, an error says which one it is. */
function namingTheFile<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (!(thrown instanceof StoreError) || thrown.cause === undefined) throw thrown
    // SQLite does not say why it cannot open a file; the folder, which it also writes to, mostly can.
    if (thrown.code === 'store-failed') tryFolder(file)
    throw storeFailure(thrown.cause, file)
  }
}

function tryFolder(file: string): void {
  try {
    rmdirSync(mkdtempSync(join(dirname(file), '.tenon-')))
  } catch (cause) {
    throw storeFailure(cause, file)
  }
}

/** Looks at the file by a connection that cannot write, so that even its write-ahead log stays as it is. */
function refuseWhatIsNotOurs(driver: SqliteDriver, file: string, options: DatabaseOptions): void {
  const connection = new Connection(driver, file, { busyMs: options.busyMs, readOnly: true })
  try {
    const application = Number(connection.pragma('application_id'))
    const version = Number(connection.pragma('user_version'))
    const { tables } = connection.prepare<{ tables: number }>('SELECT count(*) AS tables FROM sqlite_schema').get() ?? {
      tables: 0,
    }
    if (application === APPLICATION_ID) refuseNewer(version, file)
    else if (application !== 0 || tables > 0)
      throw new StoreError(
        'store-foreign',
        `${file} is an SQLite file of another program. It is left as it is; name another file for the store.`,
      )
  } finally {
    connection.close()
  }
}

function refuseNewer(version: number, file: string): void {
  if (version <= MIGRATIONS.length) return
  throw new StoreError(
    'store-newer',
    `${file} was written by a newer Tenon (store version ${version}; this one knows ${MIGRATIONS.length}). It is left as it is; update Tenon, or name another file for the store.`,
  )
}

function makeFolder(file: string): void {
  try {
    // Prompts and results are private to the user.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw storeFailure(cause, file)
  }
}

/** The change of mode does not wait by itself when another process is making the same new file. */
function enterWalMode(connection: Connection, busyMs: number): void {
  const end = Date.now() + busyMs
  for (;;) {
    try {
      connection.exec('PRAGMA journal_mode = WAL')
      return
    } catch (thrown) {
      if (!(thrown instanceof StoreError) || thrown.code !== 'store-busy' || Date.now() > end) throw thrown
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

function limitSize(connection: Connection, maxBytes: number): void {
  const pages = Math.max(1, Math.floor(maxBytes / Number(connection.pragma('page_size'))))
  connection.exec(`PRAGMA max_page_count = ${pages}`)
}

function migrate(connection: Connection): void {
  connection.transaction(() => {
    const version = Number(connection.pragma('user_version'))
    refuseNewer(version, connection.file)
    // On a file that may not be written SQLite begins the transaction all the same; this shows it, and writes nothing.
    if (version === MIGRATIONS.length) return connection.exec('DELETE FROM leases WHERE false')
    for (const migration of MIGRATIONS.slice(version)) connection.exec(migration)
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`)
  })
}
