import { loadSkill } from '../loading/load-skill.js'
import type { LoadedSkill } from '../loading/skill.js'

/** A skill as its files say now. Undefined where it cannot be loaded any more. */
export function readBody(skill: LoadedSkill): { readonly skill: LoadedSkill; readonly body: string } | undefined {
  try {
    const reading = loadSkill({ root: skill.root, folder: skill.folder, path: skill.path })
    return reading.skill.loadable ? { skill: reading.skill, body: reading.body } : undefined
  } catch {
    return undefined
  }
}
