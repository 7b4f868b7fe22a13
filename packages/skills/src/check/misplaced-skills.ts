import { readdirSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { SKILL_FOLDERS } from '../discovery/standard-roots.js'
import type { SkillRoot } from '../loading/skill.js'
import { SKIPPED_FOLDERS, skillFileOf } from '../loading/skill-files.js'

/** A skill that nobody will find where it is, and where it would be found. */
export type MisplacedSkill = { readonly path: string; readonly told: string }

const PROJECT_FILE = 'tenon.yaml'
const MAX_DEPTH = 4
const MAX_FOLDERS = 2_000
const MAX_FOUND = 20

/**
 * Skills of a project that lie beside the folders that are searched: `.agents/review/SKILL.md`, `skills/review/SKILL.md`,
 * or a Markdown file in place of a folder. Looks a few folders deep; a folder with a `tenon.yaml` of its own is another
 * project.
 */
export function misplacedSkills(workspace: string, roots: readonly SkillRoot[]): readonly MisplacedSkill[] {
  const top = realOf(workspace)
  const searched = roots.map(({ path }) => realOf(path))
  const found: MisplacedSkill[] = []
  const waiting = [{ folder: top, depth: 0 }]
  let looked = 0
  for (let here = waiting.shift(); here !== undefined && looked++ < MAX_FOLDERS; here = waiting.shift()) {
    const { folder, depth } = here
    const entries = entriesOf(folder)
    const shown = relative(top, folder).split(sep).join('/')
    if (folder !== top && entries.some(({ name }) => name === PROJECT_FILE)) continue
    if (searched.includes(folder)) {
      for (const entry of entries)
        if (entry.isFile() && /\.md$/i.test(entry.name) && !/^(?:readme|skill|agents|license)\.md$/i.test(entry.name)) {
          const name = entry.name.replace(/\.md$/i, '')
          found.push({
            path: `${shown}/${entry.name}`,
            told: `A skill is a folder: move it to ${shown}/${name}/SKILL.md.`,
          })
        }
      continue
    }
    const file = skillFileOf(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
    if (file !== undefined && folder !== top) {
      const name = shown.split('/').at(-1) ?? 'skill'
      const told = `This folder is not searched: move it to ${SKILL_FOLDERS[0]}/${name}, or name ${parentOf(shown)} under skills.folders.`
      found.push({ path: `${shown}/${file}`, told })
      continue
    }
    if (found.length >= MAX_FOUND) break
    if (depth < MAX_DEPTH)
      for (const entry of entries)
        if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name))
          waiting.push({ folder: join(folder, entry.name), depth: depth + 1 })
  }
  return found
}

const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/') || path

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
