import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { SkillsError } from '../errors.js'
import { loadSkill } from '../loading/load-skill.js'
import type { LoadedSkill } from '../loading/skill.js'
import { skillDigest } from '../loading/skill-digest.js'
import { type ArchiveEntry, ArchiveRefusal } from './archive-entry.js'
import { checkEntries, partsOf } from './check-entries.js'
import { fetchSource } from './fetch-source.js'
import { parseSource } from './install-source.js'
import { readLock, writeLock } from './lock-file.js'
import { type ScanFinding, scanSkill } from './scan-skill.js'
import { REPLACED, stagingFolder } from './staging-folder.js'

export type StageOptions = {
  /** The skills folder that it shall stand in; made when the skill is put there. */
  readonly into: string
  readonly cwd: string
  /** Which skill, where the source holds several. */
  readonly skill?: string
  readonly signal?: AbortSignal
}

/** A skill that was fetched, checked and read, beside the skills folder and not yet in it. */
export type StagedSkill = {
  readonly source: string
  readonly ref?: string
  readonly skill: LoadedSkill
  /** What its folder will be called. */
  readonly directory: string
  readonly digest: string
  readonly scan: readonly ScanFinding[]
  /** The skill of this name that stands there now: its digest, and whether we put it there. */
  readonly replaces?: { readonly digest: string | undefined; readonly installed: boolean }
  /**
   * Puts it in its place by one rename and writes the lock file. Asks nobody: consent comes before.
   * @throws SkillsError `skill-exists` unless `replace` is set
   */
  commit(options?: { readonly replace?: boolean }): void
  /** Takes away what was staged. Harmless after a commit. */
  discard(): void
}

/**
 * Fetches, checks, unpacks, loads and scans. A refusal leaves the skills folder as it was.
 * @throws SkillsError `skill-install-refused` (`detail.reason` names why), `skill-source-unreadable`
 */
export async function stageSkill(source: string, options: StageOptions): Promise<StagedSkill> {
  const parsed = parseSource(source, options.cwd)
  const temporary = stagingBeside(options.into)
  const discard = (): void => rmSync(temporary, { recursive: true, force: true })
  try {
    const { picked, ref } = await fetchSource(parsed, {
      temporary,
      skill: options.skill,
      ...(options.signal ? { signal: options.signal } : {}),
    })
    checkEntries(picked.entries)
    const folder = unpack(picked.entries, join(temporary, 'skill'), picked.directory)
    const { skill, directory } = readStaged(folder, picked.directory)
    const digest = skillDigest(skill.folder)
    if (digest === undefined) throw new ArchiveRefusal('archive-bomb', 'It is too large to be looked at.')
    const known = readLock(options.into).get(directory)
    const place = join(options.into, directory)
    return {
      source,
      ...(ref === undefined ? {} : { ref }),
      skill,
      directory,
      digest,
      scan: scanSkill(skill),
      ...(existsSync(place) ? { replaces: { digest: skillDigest(place), installed: known !== undefined } } : {}),
      commit({ replace = false } = {}) {
        if (existsSync(place) && !replace)
          throw new SkillsError('skill-exists', `${place} is there already. Nothing was installed.`)
        const lock = new Map(readLock(options.into))
        mkdirSync(options.into, { recursive: true })
        swapIn(skill.folder, place, join(temporary, REPLACED, directory))
        lock.set(directory, {
          source: 'path' in parsed ? relative(options.into, parsed.path) : source,
          ...(ref === undefined ? {} : { ref }),
          ...(options.skill === undefined ? {} : { skill: options.skill }),
          digest,
        })
        writeLock(options.into, lock)
        discard()
      },
      discard,
    }
  } catch (thrown) {
    discard()
    if (!(thrown instanceof ArchiveRefusal)) throw unwritable(options.into, thrown)
    throw new SkillsError('skill-install-refused', `${source} was not installed: ${thrown.message}`, {
      cause: thrown,
      detail: { reason: thrown.reason },
    })
  }
}

function stagingBeside(into: string): string {
  try {
    return stagingFolder(into)
  } catch (thrown) {
    throw unwritable(into, thrown)
  }
}

const DISK_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file stands where a folder is needed',
  EEXIST: 'a file stands where a folder is needed',
  ENAMETOOLONG: 'a name in the skill is too long for this disk',
  EINVAL: 'a name in the skill cannot be held by this disk',
}

/** What the disk said, in words; anything else as it is. */
function unwritable(into: string, thrown: unknown): unknown {
  const why = DISK_FAULTS[String((thrown as NodeJS.ErrnoException | undefined)?.code)]
  if (why === undefined) return thrown
  return new SkillsError('skill-folder-unwritable', `${into}: ${why}. Nothing was installed.`, { cause: thrown })
}

/** Stands in for the folder name while there is none. */
const UNNAMED = 'unnamed'

function unpack(entries: readonly ArchiveEntry[], into: string, directory: string | undefined): string {
  if (directory !== undefined && isUnsafe(directory)) throw unsafe(directory)
  const folder = join(into, directory ?? UNNAMED)
  mkdirSync(folder, { recursive: true })
  for (const entry of entries) {
    const parts = partsOf(entry.name)
    // What git keeps is no part of a skill, and its digest would not hold it.
    if (parts.length === 0 || parts.includes('.git')) continue
    const path = join(folder, ...parts)
    if (entry.kind === 'folder') {
      mkdirSync(path, { recursive: true })
      continue
    }
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, entry.bytes(), { flag: 'wx' })
    if (entry.executable) chmodSync(path, 0o755)
  }
  return folder
}

/** Where the archive gave no folder, the name in SKILL.md does; then the folder is renamed and read again. */
function readStaged(folder: string, given: string | undefined): { skill: LoadedSkill; directory: string } {
  const first = loadStaged(folder)
  if (given !== undefined) return { skill: first, directory: given }
  const nameless = ['name-unsafe', 'name-missing', 'value-not-text']
  if (first.diagnostics.some(({ kind }) => nameless.includes(kind)) || isUnsafe(first.name)) throw unsafe(first.name)
  const named = join(dirname(folder), first.name)
  renameSync(folder, named)
  return { skill: loadStaged(named), directory: first.name }
}

function loadStaged(folder: string): LoadedSkill {
  const root = { path: dirname(folder), scope: 'user', trusted: true } as const
  const { skill } = loadSkill({ root, folder, path: '' })
  if (skill.loadable) return skill
  const why = skill.diagnostics.map(({ message }) => message).join(' ')
  throw new ArchiveRefusal('skill-not-loadable', `Its SKILL.md cannot be loaded. ${why}`)
}

/** A dot in front would hide it from a person who looks at the folder. */
const isUnsafe = (name: string): boolean => /[/\\\p{Cc}]|^\.|^$/u.test(name) || name.length > 255

const unsafe = (name: string): ArchiveRefusal =>
  new ArchiveRefusal('name-unsafe', `${JSON.stringify(name)} cannot be the name of its folder.`)

/** The old one is moved aside first and comes back if the new one cannot be put there. */
function swapIn(staged: string, place: string, aside: string): void {
  const old = existsSync(place)
  if (old) {
    mkdirSync(dirname(aside))
    renameSync(place, aside)
  }
  try {
    renameSync(staged, place)
  } catch (error) {
    if (old) renameSync(aside, place)
    throw error
  }
}
