import { verifyInstalled } from '@tenon/skills'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'
import { table } from '../printer/table.js'
import { type InstallOptions, skillsFolder } from './add-skill.js'
import { noneInstalled } from './update-skills.js'

/** `tenon skills verify` */
export function verifySkills(io: Io, options: InstallOptions): number {
  const folder = skillsFolder(io, options)
  const verified = verifyInstalled(folder)
  if (verified.length === 0) io.stderr.write(noneInstalled(folder))
  io.stdout.write(
    table(verified.map(({ name, state, entry }) => [safeText(name), state, entry.digest, safeText(entry.source)])),
  )
  return verified.every(({ state }) => state === 'as-installed') ? EXIT.completed : EXIT.failed
}
