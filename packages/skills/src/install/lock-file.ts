import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SkillsError } from '../errors.js'

/** Where an installed skill came from, and what it was. */
export type LockEntry = {
  /** An address or a package as the user gave it; a path from the skills folder, wherever it is read again. */
  readonly source: string
  /** The commit, the version, or the digest of the archive. */
  readonly ref?: string
  /** Which skill of the source, where it holds several. */
  readonly skill?: string
  /** Of all files of the skill. */
  readonly digest: string
}

export type LockFile = ReadonlyMap<string, LockEntry>

export const LOCK_FILE = 'skills-lock.json'
const VERSION = 1

/** What is installed below a skills folder; empty where nothing was. @throws SkillsError `skill-lock-invalid` */
export function readLock(folder: string): LockFile {
  const path = join(folder, LOCK_FILE)
  if (!existsSync(path)) return new Map()
  const parsed = parsedLock(path)
  if (parsed === undefined)
    throw new SkillsError(
      'skill-lock-invalid',
      `${path} is no lock file of this version. Nothing was changed; repair or remove it.`,
    )
  return parsed
}

function parsedLock(path: string): LockFile | undefined {
  try {
    const { version, skills } = JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown; skills?: object }
    if (version !== VERSION || typeof skills !== 'object' || skills === null) return undefined
    const entries = Object.entries(skills) as [string, LockEntry][]
    const whole = entries.every(([, one]) => typeof one?.source === 'string' && typeof one.digest === 'string')
    return whole ? new Map(entries) : undefined
  } catch {
    return undefined
  }
}

/** Replaces the lock file whole. */
export function writeLock(folder: string, lock: LockFile): void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, LOCK_FILE)
  const skills = Object.fromEntries([...lock].sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(`${path}.new`, `${JSON.stringify({ version: VERSION, skills }, null, 2)}\n`)
  renameSync(`${path}.new`, path)
}
