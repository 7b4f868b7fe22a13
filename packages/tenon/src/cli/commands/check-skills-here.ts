import { resolve } from 'node:path'
import { checkSkills } from '@tenon/skills'
import { diagnosticLines, severityOf } from '../../skills/diagnostic-lines.js'
import { skillRecord } from '../../skills/skill-state.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'

/** `tenon skills check`: the linter. Advice alone fails nothing. */
export function checkSkillsHere(io: Io, dir: string, options: { readonly json?: boolean }): number {
  const skills = checkSkills(resolve(io.cwd, dir))
  const counts = { error: 0, standard: 0, advice: 0 }
  for (const skill of skills) {
    for (const one of skill.diagnostics) counts[severityOf(one)]++
    if (options.json) io.stdout.write(`${JSON.stringify(skillRecord(skill))}\n`)
    else for (const line of diagnosticLines(skill)) io.stdout.write(`${line}\n`)
    if (!options.json && skill.diagnostics.length === 0) io.stdout.write(`${safeText(skill.name)}: in order\n`)
  }
  io.stderr.write(
    `${skills.length} skill${skills.length === 1 ? '' : 's'}: ${counts.error} that keep it from being used, ${counts.standard} against the standard, ${counts.advice} advice\n`,
  )
  return skills.every(({ strictlyValid, loadable }) => strictlyValid && loadable) ? EXIT.completed : EXIT.failed
}
