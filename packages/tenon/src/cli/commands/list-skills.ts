import { misplacedSkills } from '@tenon/skills'
import { skillPlace, skillRecord, skillState } from '../../skills/skill-state.js'
import { type PlaceOptions, skillsOfPlace } from '../../skills/skills-of-place.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'
import { table } from '../printer/table.js'
import { spokenCount } from '../printer/words.js'

export type ListSkillsOptions = PlaceOptions & { readonly json?: boolean }

/** `tenon skills list`: every skill that was found, in order of precedence; what is to be known of it on one line. */
export async function listSkills(io: Io, options: ListSkillsOptions): Promise<number> {
  const { skills, workspace } = await skillsOfPlace(io, options)
  const set = skills.current()
  if (options.json) {
    for (const skill of set.skills) io.stdout.write(`${JSON.stringify(skillRecord(skill))}\n`)
    return EXIT.completed
  }
  io.stdout.write(
    table(
      set.skills.map((skill) => [
        safeText(skill.name),
        skillState(skill),
        findings(skill.diagnostics.length),
        safeText(oneLine(skill.description ?? skill.diagnostics[0]?.message ?? '')),
        safeText(skillPlace(skill)),
      ]),
    ),
  )
  if (set.skills.length === 0) io.stderr.write('No skills were found. They live in .agents/skills/NAME/SKILL.md.\n')
  const catalogue = skills.catalogue()
  if (catalogue !== undefined) {
    const { tokens, budget, full, shortened, named, searchable } = catalogue
    const parts = [`${full} in full`, `${shortened} shortened`, `${named} by name only`, `${searchable} by search only`]
    const shown = parts.filter((part, index) => index === 0 || !part.startsWith('0 ')).join(', ')
    io.stderr.write(`The catalogue takes ${spokenCount(tokens)} of ${spokenCount(budget)} tokens: ${shown}.\n`)
  }
  for (const { path, told } of misplacedSkills(workspace, skills.library.roots))
    io.stderr.write(`note: ${safeText(path)}: ${safeText(told)}\n`)
  for (const notice of set.notices) io.stderr.write(`note: ${safeText(notice)}\n`)
  return EXIT.completed
}

const findings = (count: number): string => (count === 0 ? '' : `${count} finding${count === 1 ? '' : 's'}`)

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
