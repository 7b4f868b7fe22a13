import { removeInstalled, trustFile } from '@tenon/skills'
import { skillTrustFile } from '../../skills/open-skills.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'
import { type InstallOptions, skillsFolder } from './add-skill.js'

/** `tenon skills remove` */
export function removeSkill(io: Io, name: string, options: InstallOptions): number {
  const { digest } = removeInstalled(skillsFolder(io, options), name)
  trustFile(skillTrustFile(io.environment)).distrust(name, digest)
  io.stderr.write(`${safeText(name)} was removed.\n`)
  return EXIT.completed
}
