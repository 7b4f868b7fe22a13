import { realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { findSkills } from '../discovery/find-skills.js'
import { resolveNames } from '../discovery/resolve-names.js'
import { SkillsError } from '../errors.js'
import { loadSkill } from '../loading/load-skill.js'
import type { Skill, SkillRoot } from '../loading/skill.js'

/**
 * Reads every skill in a folder as its author wants it read: against the open standard, with advice. The folder may be a
 * skill, hold skills, or be named by its SKILL.md.
 * @throws SkillsError `skill-source-unreadable` where there is no skill to check
 */
export function checkSkills(path: string): readonly Skill[] {
  const root: SkillRoot = { path: folderOf(path), scope: 'configured', trusted: true }
  const { skills } = findSkills(root)
  if (skills.length === 0)
    throw new SkillsError(
      'skill-source-unreadable',
      `There is no SKILL.md in ${path}. A skill is a folder with one in it.`,
    )
  return resolveNames(skills.map((found) => loadSkill({ root, folder: found.folder, path: found.path }).skill))
}

function folderOf(path: string): string {
  try {
    const real = realpathSync(path)
    return basename(real).toLowerCase() === 'skill.md' ? dirname(real) : real
  } catch (cause) {
    throw new SkillsError('skill-source-unreadable', `${path}: there is no such file or folder.`, { cause })
  }
}
