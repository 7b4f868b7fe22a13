import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { byteOrder } from '../loading/byte-order.js'
import type { SkillRoot } from '../loading/skill.js'
import { SKIPPED_FOLDERS, skillFileOf } from '../loading/skill-files.js'
import { type Stamp, stampOf } from './stamp.js'

/** A folder with a SKILL.md in it. */
export type FoundSkill = {
  readonly root: SkillRoot
  /** By its real path. */
  readonly folder: string
  /** Below the root, as it was found. */
  readonly path: string
  readonly file: string
  /** What lay in the folder, and the stamp that it had just before: good for one reading right after the search. */
  readonly look?: { readonly entries: readonly Dirent[]; readonly stamp: Stamp | undefined }
}

export type RootSearch = {
  readonly skills: readonly FoundSkill[]
  /** Every folder that was looked into and is no skill, by its real path, with the stamp that it had just before. */
  readonly folders: ReadonlyMap<string, Stamp | undefined>
  /** What was not looked at, in words. */
  readonly notices: readonly string[]
}

const MAX_DEPTH = 6
/** Folders that are looked into below one root; skills themselves do not count. */
const MAX_FOLDERS = 20_000
const MAX_SKILLS = 20_000

type Place = { readonly folder: string; readonly path: string; readonly depth: number }

/**
 * Finds the skills below a root: six folders deep, each real folder once, nothing below a SKILL.md. Real folders go
 * before links to them, so that which path a skill is known by does not depend on a link's name.
 */
export function findSkills(root: SkillRoot): RootSearch {
  const skills: FoundSkill[] = []
  const folders = new Map<string, Stamp | undefined>()
  const notices: string[] = []
  const seen = new Set<string>()
  const links: Place[] = []
  let waiting: Place[] = placeOf(root.path, '', 0)
  while (waiting.length > 0 || links.length > 0) {
    const here = waiting.pop() ?? links.shift()
    if (here === undefined || seen.has(here.folder)) continue
    if (folders.size >= MAX_FOLDERS || skills.length >= MAX_SKILLS) {
      notices.push(`${root.path}: more than ${MAX_FOLDERS} folders; the rest was not searched.`)
      break
    }
    seen.add(here.folder)
    const stamp = stampOf(here.folder)
    const looked = look(here)
    if (looked === undefined) {
      notices.push(`${join(root.path, here.path)}: cannot be read.`)
      continue
    }
    if (looked.skillFile !== undefined) {
      const { skillFile: file, entries } = looked
      skills.push({ root, folder: here.folder, path: here.path, file, look: { entries, stamp } })
      continue
    }
    folders.set(here.folder, stamp)
    if (here.depth >= MAX_DEPTH) continue
    waiting.push(...looked.below)
    links.push(...looked.links)
    if (waiting.length > MAX_FOLDERS) waiting = waiting.slice(-MAX_FOLDERS)
  }
  return { skills: skills.sort((a, b) => byteOrder(a.path, b.path)), folders, notices }
}

type Looked = {
  readonly skillFile?: string
  readonly entries: readonly Dirent[]
  readonly below: readonly Place[]
  readonly links: readonly Place[]
}

function look({ folder, path, depth }: Place): Looked | undefined {
  let entries: readonly Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return undefined
  }
  const skillFile = skillFileOf(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name))
  if (skillFile !== undefined) return { skillFile, entries, below: [], links: [] }
  const below: Place[] = []
  const links: Place[] = []
  for (const entry of entries) {
    if (SKIPPED_FOLDERS.has(entry.name)) continue
    const inside = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) below.push({ folder: join(folder, entry.name), path: inside, depth: depth + 1 })
    else if (entry.isSymbolicLink() && leadsToFolder(join(folder, entry.name)))
      links.push(...placeOf(join(folder, entry.name), inside, depth + 1))
  }
  // The last one is taken first.
  below.sort((a, b) => byteOrder(b.path, a.path))
  links.sort((a, b) => byteOrder(a.path, b.path))
  return { entries, below, links }
}

/** A link to a file is no more to be looked into than a file, and one to nothing is left out. */
function leadsToFolder(link: string): boolean {
  try {
    return statSync(link).isDirectory()
  } catch {
    return false
  }
}

function placeOf(folder: string, path: string, depth: number): Place[] {
  try {
    return [{ folder: realpathSync(folder), path, depth }]
  } catch {
    return []
  }
}
