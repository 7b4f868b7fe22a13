import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SkillsError } from '../errors.js'
import { skillDigest } from '../loading/skill-digest.js'
import { type LockEntry, readLock, writeLock } from './lock-file.js'
import { stagingFolder } from './staging-folder.js'

/** How an installed skill stands against what was installed. */
export type Verified = {
  readonly name: string
  readonly entry: LockEntry
  readonly state: 'as-installed' | 'changed' | 'gone'
  readonly digest: string | undefined
}

/** Compares every installed skill with its lock entry. @throws SkillsError `skill-lock-invalid` */
export function verifyInstalled(folder: string): readonly Verified[] {
  return [...readLock(folder)].map(([name, entry]) => {
    const place = join(folder, name)
    const isThere = existsSync(place)
    const digest = isThere ? skillDigest(place) : undefined
    const state = !isThere ? 'gone' : digest === entry.digest ? 'as-installed' : 'changed'
    return { name, entry, state, digest }
  })
}

/**
 * Takes an installed skill away: its folder by one rename, then its lock entry, which is given back. What we did not
 * install is left alone.
 * @throws SkillsError `skill-not-installed`
 */
export function removeInstalled(folder: string, name: string): LockEntry {
  const lock = new Map(readLock(folder))
  const entry = lock.get(name)
  if (entry === undefined)
    throw new SkillsError(
      'skill-not-installed',
      `${name} was not installed in ${folder} by tenon skills add; nothing was removed.`,
    )
  lock.delete(name)
  const place = join(folder, name)
  const staging = stagingFolder(folder)
  if (existsSync(place)) renameSync(place, join(staging, 'removed'))
  writeLock(folder, lock)
  rmSync(staging, { recursive: true, force: true })
  return entry
}
