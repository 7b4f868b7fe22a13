import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { byteOrder } from './byte-order.js'
import type { Findings } from './diagnostic.js'

/** What lies beside a SKILL.md: names only, no file was opened. */
export type FolderListing = {
  /** The skill file by its name, if there is one. */
  readonly skillFile: string | undefined
  readonly skillFileIsLink: boolean
  /** Relative, `/` between the parts, in byte order. Links that stay inside are among them. */
  readonly resources: readonly string[]
  /** Every folder below, for those who watch for changes. */
  readonly folders: readonly string[]
  /** Links that leave; a reference to one is not missing. */
  readonly escapes: ReadonlySet<string>
}

const MAX_RESOURCES = 5_000
const MAX_DEPTH = 8
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git'])

const isSkillFile = (name: string): boolean => name.length === 8 && name.toLowerCase() === 'skill.md'

/** Which entry of a folder is its SKILL.md: the exact spelling first, then byte order. */
export function skillFileOf(names: readonly string[]): string | undefined {
  const spelt = names.filter(isSkillFile)
  return spelt.includes('SKILL.md') ? 'SKILL.md' : spelt.sort(byteOrder)[0]
}

/** Walks a skill folder, given by its real path. Links are looked up and never walked through. */
export function listSkillFolder(folder: string, findings: Findings, top?: readonly Dirent[]): FolderListing {
  const resources: string[] = []
  const folders: string[] = []
  const escapes = new Set<string>()
  let skillFile: string | undefined
  let skillFileIsLink = false
  const waiting: { path: string; depth: number }[] = [{ path: '', depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, depth } = next
    const known = path === '' ? top : undefined
    const entries = known ?? readdirSync(path === '' ? folder : join(folder, path), { withFileTypes: true })
    if (depth === 0) skillFile = skillFileOf(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name))
    for (const entry of entries) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`
      if (depth === 0 && entry.name === skillFile) {
        skillFileIsLink = entry.isSymbolicLink()
        continue
      }
      if (isSkillFile(entry.name) && !entry.isDirectory()) {
        if (depth === 0) {
          findings.add('skill-file-twice', `${entry.name}:`)
          continue
        }
        findings.add('nested-skill', `${inside}:`)
      }
      if (entry.isDirectory()) {
        if (SKIPPED_FOLDERS.has(entry.name) || depth >= MAX_DEPTH) continue
        folders.push(inside)
        waiting.push({ path: inside, depth: depth + 1 })
      } else if (entry.isFile()) resources.push(inside)
      else if (entry.isSymbolicLink()) {
        const where = whereLinkLeads(folder, inside)
        if (where === 'outside') {
          escapes.add(inside)
          findings.add('resource-escapes', `${inside}:`)
        } else if (where === 'file') resources.push(inside)
      }
    }
    if (resources.length > MAX_RESOURCES) {
      findings.add('too-many-resources', `${MAX_RESOURCES} are listed.`)
      resources.length = MAX_RESOURCES
      break
    }
  }
  return { skillFile, skillFileIsLink, resources: resources.sort(byteOrder), folders, escapes }
}

function whereLinkLeads(folder: string, inside: string): 'file' | 'outside' | 'elsewhere' {
  try {
    const real = realpathSync(join(folder, inside))
    if (!isInside(folder, real)) return 'outside'
    const fd = openSync(real, constants.O_RDONLY | NO_FOLLOW | constants.O_NONBLOCK)
    try {
      return fstatSync(fd).isFile() ? 'file' : 'elsewhere'
    } finally {
      closeSync(fd)
    }
  } catch {
    return 'elsewhere'
  }
}

/** True for the folder itself and everything below it; `/a/b_evil` is not inside `/a/b`. */
export function isInside(folder: string, real: string): boolean {
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Windows has neither; there a link was told apart by its real path already. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

export type FileRead =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'escapes' | 'too-large' | 'unreadable' | 'missing' }

/**
 * Reads a file of a skill by its path in the skill. The path is resolved, must stay inside by its real path, and is
 * opened without following a link that somebody puts there meanwhile.
 */
export function readInside(folder: string, inside: string, limit: number, isLink = true): FileRead {
  let real = join(folder, inside)
  if (isLink)
    try {
      real = realpathSync(real)
      if (!isInside(folder, real)) return { kind: 'escapes' }
    } catch (error) {
      return { kind: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable' }
    }
  let fd: number | undefined
  try {
    fd = openSync(real, constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0))
    const stat = fstatSync(fd)
    if (!stat.isFile()) return { kind: 'unreadable' }
    if (stat.size > limit) return { kind: 'too-large' }
    const bytes = Buffer.allocUnsafe(stat.size)
    let length = 0
    while (length < stat.size) {
      const count = readSync(fd, bytes, length, stat.size - length, length)
      if (count === 0) break
      length += count
    }
    return { kind: 'read', bytes: bytes.subarray(0, length) }
  } catch (error) {
    return { kind: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable' }
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
