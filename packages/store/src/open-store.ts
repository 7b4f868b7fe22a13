import { statSync } from 'node:fs'
import { type Journal, type RunId, sortableId } from '@tenon/kernel'
import { abandonedRuns } from './abandoned-runs.js'
import { artifactFiles } from './artifact-files.js'
import { type SqliteArtifacts, sqliteArtifacts } from './artifacts.js'
import { backUp } from './backup.js'
import { beginRun } from './begin-run.js'
import { ChangeFeed } from './change-feed.js'
import { type ChangedRuns, changedRuns } from './changed-runs.js'
import type { Connection } from './connection.js'
import { loadDriver } from './driver.js'
import { StoreError } from './errors.js'
import { type SqliteGrants, sqliteGrants } from './grants.js'
import { type SqliteInbox, sqliteInbox } from './inbox.js'
import { type SqliteJournal, sqliteJournal } from './journal.js'
import { type SqliteLeases, sqliteLeases } from './leases.js'
import { openDatabase } from './open-database.js'
import { processHolder } from './process-holder.js'
import { type PushTargets, pushTargets } from './push-targets.js'
import { type Pruned, type PruneOptions, prune, remove } from './retention.js'
import { type RunList, runList } from './run-list.js'
import { type SendKeys, sendKeys } from './send-keys.js'
import { type StoreLocation, storePaths } from './store-paths.js'

export type StoreOptions = StoreLocation & {
  /**
   * `normal`: what is kept survives the end of the process, and the loss of power where an append asks for it.
   * `full`: everything survives the loss of power, at about 0.1 ms an append and more on slow disks.
   */
  readonly durability?: 'normal' | 'full'
  /** The database file grows no larger; appends fail with `store-full` then. No limit if absent. */
  readonly maxBytes?: number
  /** How long to wait for other processes before `store-busy`; 5,000 ms if absent. */
  readonly busyMs?: number
}

/** All that Tenon keeps, in one SQLite file and a folder of artifacts. Several processes may have it open at once. */
export type Store = {
  readonly file: string
  readonly journal: SqliteJournal & Required<Pick<Journal, 'begin'>>
  readonly inbox: SqliteInbox
  readonly leases: SqliteLeases
  readonly grants: SqliteGrants
  readonly artifacts: SqliteArtifacts
  readonly runs: RunList
  /** Runs in the order of their last change. */
  readonly changed: ChangedRuns
  readonly pushes: PushTargets
  readonly sendKeys: SendKeys
  /** Runs with work to do that nobody drives, of owners whose name begins with `prefix`. */
  abandoned(prefix: string): readonly RunId[]
  /** This store's name for `leases.acquire`: when its process dies, its leases end at once. */
  readonly holder: string
  /** Copies the store into a new folder while it is in use. */
  backup(dir: string): Promise<void>
  prune(options: PruneOptions): Promise<Pruned>
  /**
   * Removes one run that has ended, with its sub-runs and what only they refer to.
   * @throws StoreError `run-kept`
   */
  remove(runId: RunId): { readonly runs: number; readonly artifacts: number }
  /** What is wrong with the file, in SQLite's words; empty if nothing is. Reads all of it. */
  check(): readonly string[]
  /** Bytes of the database and its log. */
  size(): number
  /** Harmless when closed. */
  close(): void
}

/**
 * @throws StoreError `store-newer`, `store-foreign`, `store-corrupt`, `store-read-only`, `store-full`, `store-busy`,
 *   `store-driver`; nothing was changed then.
 */
export function openStore(options: StoreOptions): Store {
  const driver = loadDriver()
  const paths = storePaths(options)
  const alwaysSync = options.durability === 'full'
  const connection = openDatabase(driver, paths.file, {
    busyMs: options.busyMs ?? 5000,
    alwaysSync,
    ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
  })
  const feed = new ChangeFeed(connection)
  const files = artifactFiles(paths.artifacts, alwaysSync)
  const journal = sqliteJournal(connection)
  const leases = sqliteLeases(connection, journal.forget)
  let isOpen = true

  return {
    file: paths.file,
    journal: { ...journal, begin: beginRun(connection, journal, leases) },
    inbox: sqliteInbox(connection, feed),
    leases,
    grants: sqliteGrants(connection),
    artifacts: sqliteArtifacts(connection, files),
    runs: runList(connection),
    changed: changedRuns(connection),
    pushes: pushTargets(connection),
    sendKeys: sendKeys(connection),
    abandoned: abandonedRuns(connection),
    holder: `${processHolder()}/${sortableId()}`,
    backup: (dir) => backUp(driver, connection, paths, dir),
    prune: (pruneOptions) => prune(connection, files, pruneOptions),
    remove: (runId) => remove(connection, files, runId),

    check: () => integrity(connection),

    size: () => sizeOf(paths.file) + sizeOf(`${paths.file}-wal`),

    close() {
      if (!isOpen) return
      isOpen = false
      feed.close()
      connection.checkpoint()
      connection.close()
    },
  }
}

function integrity(connection: Connection): readonly string[] {
  try {
    const found = connection.prepare<{ integrity_check: string }>('PRAGMA integrity_check').all()
    return found.map((row) => row.integrity_check).filter((line) => line !== 'ok')
  } catch (thrown) {
    if (thrown instanceof StoreError && thrown.code === 'store-corrupt') return [thrown.message]
    throw thrown
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
