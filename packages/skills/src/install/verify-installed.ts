import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SkillsError } from '../errors.js'
import { skillDigest } from '../loading/skill-digest.js'
import { type LockEntry, readLock, writeLock } from './lock-file.js'

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
    const digest = existsSync(place) ? skillDigest(place) : undefined
    const state = digest === undefined ? 'gone' : digest === entry.digest ? 'as-installed' : 'changed'
    return { name, entry, state, digest }
  })
}

/**
 * Takes an installed skill away: its folder by one rename, then its lock entry. What we did not install is left alone.
 * @throws SkillsError `skill-not-installed`
 */
export function removeInstalled(folder: string, name: string): void {
  const lock = new Map(readLock(folder))
  if (!lock.delete(name))
    throw new SkillsError(
      'skill-not-installed',
      `${name} was not installed in ${folder} by tenon skills add; nothing was removed.`,
    )
  const place = join(folder, name)
  const aside = join(dirname(folder), `.skills-removed-${process.pid}-${name}`)
  if (existsSync(place)) renameSync(place, aside)
  writeLock(folder, lock)
  rmSync(aside, { recursive: true, force: true })
}
