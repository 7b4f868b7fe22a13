import { setImmediate as breathe } from 'node:timers/promises'
import type { ArtifactId, RunId } from '@tenon/kernel'
import type { ArtifactFiles } from './artifact-files.js'
import type { Connection } from './connection.js'
import { StoreError } from './errors.js'
import { journalPlace } from './journal-place.js'

/** Runs a transaction: other processes write between two of them. */
const BATCH = 200

export type PruneOptions = {
  /** Epoch milliseconds: runs that ended before are removed. */
  readonly olderThan: number
  /** Give the space back to the file system; on if absent. Writers wait meanwhile. */
  readonly vacuum?: boolean
}

export type Pruned = {
  readonly runs: number
  readonly artifacts: number
  /** False if not asked for, or if other processes kept the file too busy; the space is used again all the same. */
  readonly vacuumed: boolean
}

/**
 * Removes runs that ended before a time, with their journal and with artifacts that no kept run refers to. A sub-run
 * stays as long as the run that it belongs to.
 */
export async function prune(connection: Connection, files: ArtifactFiles, options: PruneOptions): Promise<Pruned> {
  const { olderThan, vacuum = true } = options
  let runs = 0
  for (;;) {
    connection.syncCommits(false)
    const removed = connection.transaction(() => removeRuns(connection, olderThan))
    runs += removed
    if (removed < BATCH) break
    await breathe()
  }
  connection.prepare('DELETE FROM grants WHERE expires < ?').run(olderThan)
  const artifacts = removeArtifacts(connection, files)
  files.sweep()
  return { runs, artifacts, vacuumed: vacuum && tryVacuum(connection) }
}

/**
 * Removes one run with its sub-runs, their journals, and artifacts that no other run refers to. Zeros for an unknown run.
 * @throws StoreError `run-kept` when it has not ended, or is a sub-run of one that is kept
 */
export function remove(connection: Connection, files: ArtifactFiles, runId: RunId): Omit<Pruned, 'vacuumed'> {
  connection.syncCommits(false)
  return connection.transaction(() => {
    const tree = connection
      .prepare<Kept & { parent: RunId | null; ended: number | null }>(
        `WITH RECURSIVE tree (id) AS (SELECT ? UNION SELECT runs.id FROM runs JOIN tree ON runs.parent = tree.id)
         SELECT key, id, parent, ended FROM runs JOIN tree USING (id)`,
      )
      .all(runId)
    const parent = tree.find(({ id }) => id === runId)?.parent
    if (parent && connection.prepare('SELECT 1 FROM runs WHERE id = ?').get(parent) !== undefined)
      throw new StoreError('run-kept', `${runId} is a sub-run. Remove the run that it belongs to: ${parent}.`)
    const open = tree.find(({ ended }) => ended === null)
    if (open !== undefined) throw new StoreError('run-kept', `${open.id} has not ended. Cancel it first.`)
    removeAll(connection, tree)
    return { runs: tree.length, artifacts: tree.length === 0 ? 0 : removeArtifacts(connection, files) }
  })
}

function removeRuns(connection: Connection, olderThan: number): number {
  const old = connection
    .prepare<Kept>(
      `SELECT key, id FROM runs AS run WHERE ended < ?1 AND NOT EXISTS
         (SELECT 1 FROM runs AS parent WHERE parent.id = run.parent AND (parent.ended IS NULL OR parent.ended >= ?1))
       LIMIT ${BATCH}`,
    )
    .all(olderThan)
  removeAll(connection, old)
  return old.length
}

type Kept = { readonly key: number; readonly id: RunId }

function removeAll(connection: Connection, runs: readonly Kept[]): void {
  const ofJournal = connection.prepare('DELETE FROM journal WHERE place >= ? AND place < ?')
  const byKey = ['inputs WHERE run', 'runs WHERE key'].map((what) => connection.prepare(`DELETE FROM ${what} = ?`))
  const byId = ['inbox', 'leases', 'artifact_runs', 'push_targets', 'push_dead'].map((table) =>
    connection.prepare(`DELETE FROM ${table} WHERE run = ?`),
  )
  for (const { key, id } of runs) {
    ofJournal.run(journalPlace(key, 0), journalPlace(key + 1, 0))
    for (const statement of byKey) statement.run(key)
    for (const statement of byId) statement.run(id)
  }
}

/**
 * In one transaction with the files: whoever puts the same bytes meanwhile waits, and then sees that the file is gone.
 */
function removeArtifacts(connection: Connection, files: ArtifactFiles): number {
  return connection.transaction(() => {
    const unused = connection
      .prepare<{ id: ArtifactId }>(
        'SELECT id FROM artifacts WHERE NOT EXISTS (SELECT 1 FROM artifact_runs WHERE artifact = artifacts.id)',
      )
      .all()
    const forget = connection.prepare('DELETE FROM artifacts WHERE id = ?')
    for (const { id } of unused) {
      forget.run(id)
      files.remove(id)
    }
    return unused.length
  })
}

function tryVacuum(connection: Connection): boolean {
  try {
    // In WAL mode the smaller file is a log at first; only the checkpoint cuts the file.
    connection.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
    return true
  } catch (thrown) {
    if (thrown instanceof StoreError && thrown.code === 'store-busy') return false
    throw thrown
  }
}
