import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ArtifactId } from '@tenon/kernel'
import { artifactFiles } from './artifact-files.js'
import type { Connection } from './connection.js'
import type { SqliteDriver } from './driver.js'
import { StoreError } from './errors.js'
import { storeFailure } from './failure.js'

import { type StorePaths, storePaths } from './store-paths.js'

/**
 * Copies a store, while it is in use, into a folder that `openStore({ dir })` opens. The copy is of one moment, and
 * the folder appears only when it is whole.
 *
 * @throws StoreError `backup-exists` if there is something in the folder
 */
export async function backUp(
  driver: SqliteDriver,
  connection: Connection,
  from: StorePaths,
  target: string,
): Promise<void> {
  const partial = `${target}.partial-${process.pid}`
  try {
    if ((await entries(target)).length > 0)
      throw new StoreError('backup-exists', `${target} is not empty. A backup writes over nothing; name a new folder.`)
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial, { recursive: true, mode: 0o700 })
    const to = storePaths({ dir: partial })
    await copyDatabase(driver, from.file, to.file)
    await copyArtifacts(connection, from, to)
    await rm(target, { recursive: true, force: true })
    await rename(partial, target)
  } catch (thrown) {
    await rm(partial, { recursive: true, force: true })
    throw storeFailure(thrown, target)
  }
}

/** By a connection of its own, so that the store goes on meanwhile; in one step, so that writers cannot restart it. */
async function copyDatabase(driver: SqliteDriver, from: string, to: string): Promise<void> {
  const source = new driver.DatabaseSync(from, { readOnly: true })
  try {
    await driver.backup(source, to, { rate: 2 ** 30 })
  } finally {
    source.close()
  }
}

/**
 * Everything that the copied database can name and that retention has left. Asked of the store, not of the copy: the
 * driver would keep the copy open for a while, and some systems move no folder that holds an open file.
 */
async function copyArtifacts(connection: Connection, from: StorePaths, to: StorePaths): Promise<void> {
  const sources = artifactFiles(from.artifacts, false)
  const targets = artifactFiles(to.artifacts, false)
  for (const { id } of connection.prepare<{ id: ArtifactId }>('SELECT id FROM artifacts').all()) {
    if (sources.size(id) === undefined) continue
    const path = targets.pathOf(id)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await copyFile(sources.pathOf(id), path, constants.COPYFILE_FICLONE)
  }
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === 'ENOENT') return []
    throw thrown
  }
}
