import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { SkillRoot } from '../loading/skill.js'
import { isInside } from '../loading/skill-files.js'

/** Folders in which clients keep skills, the first one before the others. */
export const SKILL_FOLDERS: readonly string[] = ['.agents/skills', '.tenon/skills', '.claude/skills', '.github/skills']

export type RootOptions = {
  /** Where the user stands; from here up to the workspace every folder is looked into, the nearest first. */
  readonly cwd: string
  /** The root of the project. */
  readonly workspace: string
  readonly home: string
  /** Absolute folders that the configuration names; they go before the user's own. */
  readonly folders?: readonly string[]
  /** Whether this project's skills may be read. */
  readonly trusted: boolean
}

/** Where skills are looked for, whether or not there is a folder. */
export function standardRoots(options: RootOptions): readonly SkillRoot[] {
  const { cwd, workspace, home, folders = [], trusted } = options
  const roots: SkillRoot[] = []
  let rank = 0
  // A project that is the home folder itself has the user's skills, not a project's.
  for (const folder of upwards(realOf(cwd), realOf(workspace)))
    if (folder !== realOf(home))
      for (const kind of SKILL_FOLDERS)
        roots.push({ path: join(folder, kind), scope: 'project', trusted, rank: rank++ })
  for (const [index, folder] of folders.entries())
    roots.push({ path: resolve(folder), scope: 'configured', trusted: true, rank: index })
  for (const [index, kind] of SKILL_FOLDERS.entries())
    if (kind !== '.github/skills') roots.push({ path: join(home, kind), scope: 'user', trusted: true, rank: index })
  return roots
}

/** From `from` up to `top`, `top` alone where `from` lies elsewhere. */
function upwards(from: string, top: string): readonly string[] {
  if (!isInside(top, from)) return [top]
  const depth = relative(top, from)
    .split(sep)
    .filter((part) => part !== '').length
  const folders = [from]
  for (let step = 0; step < depth; step++) folders.push(dirname(folders.at(-1) ?? top))
  return folders
}

const realOf = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path))
