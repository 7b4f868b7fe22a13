import { verifyInstalled } from '@tenon/skills'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'
import { table } from '../printer/table.js'
import { type InstallOptions, skillsFolder } from './add-skill.js'

/** `tenon skills verify` */
export function verifySkills(io: Io, options: InstallOptions): number {
  const verified = verifyInstalled(skillsFolder(io, options))
  io.stdout.write(
    table(verified.map(({ name, state, entry }) => [safeText(name), state, entry.digest, safeText(entry.source)])),
  )
  return verified.every(({ state }) => state === 'as-installed') ? EXIT.completed : EXIT.failed
}
