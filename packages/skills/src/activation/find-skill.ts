import { SkillIndex } from '../catalogue/skill-index.js'
import type { SkillSet } from '../discovery/skill-library.js'
import { SkillsError } from '../errors.js'
import { DIAGNOSTICS } from '../loading/diagnostic.js'
import type { Skill } from '../loading/skill.js'

/**
 * The skill that a name means. Names are looked up and never joined to a path.
 * @throws SkillsError `skill-unknown` that names near ones, `skill-unavailable` that says why
 */
export function findSkill(set: SkillSet, name: string, by: 'model' | 'user'): Skill {
  const skill = set.byName.get(name)
  if (skill === undefined) throw notThere(set, name)
  if (by === 'model' && !skill.invocation.byModel)
    throw new SkillsError('skill-unavailable', `Only the user may start ${name}: they type /${name}.`)
  if (by === 'user' && !skill.invocation.byUser)
    throw new SkillsError('skill-unavailable', `${name} is no command; the model takes it up where it fits.`)
  return skill
}

function notThere(set: SkillSet, name: string): SkillsError {
  const listed = set.skills.find((skill) => skill.name === name)
  const reason = listed?.diagnostics.find(({ kind }) => DIAGNOSTICS[kind].blocks)
  if (reason !== undefined)
    return new SkillsError('skill-unavailable', `The skill ${name} cannot be used: ${reason.message}`)
  const near = new SkillIndex([...set.byName.values()]).search(name, 3).map(({ skill }) => skill.name)
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return new SkillsError('skill-unknown', `There is no skill ${JSON.stringify(name.slice(0, 80))}.${hint}`)
}
