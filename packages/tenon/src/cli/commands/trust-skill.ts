import { SkillsError, skillDigest } from '@tenon/skills'
import { type PlaceOptions, skillsOfPlace } from '../../skills/skills-of-place.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'

/** `tenon skills trust` */
export async function trustSkill(
  io: Io,
  name: string,
  options: PlaceOptions & { readonly remove?: boolean },
): Promise<number> {
  const { skills } = await skillsOfPlace(io, options)
  if (options.remove) {
    const found = skills.trust.distrust(name)
    io.stderr.write(found ? `${safeText(name)} is trusted no longer.\n` : `${safeText(name)} was not trusted.\n`)
    return EXIT.completed
  }
  const skill = skills.current().byName.get(name)
  if (skill === undefined)
    throw new SkillsError(
      'skill-unknown',
      `There is no skill ${JSON.stringify(name)} to trust. tenon skills list shows what there is.`,
    )
  const digest = skillDigest(skill.folder)
  if (digest === undefined)
    throw new SkillsError(
      'skill-unavailable',
      `${JSON.stringify(name)} cannot be trusted: it is too large, or holds files that cannot be read.`,
    )
  skills.trust.trust(digest, name)
  io.stderr.write(`${safeText(name)} is trusted as it is now (${digest}).\n`)
  return EXIT.completed
}
