import { join } from 'node:path'
import { byteOrder } from '../loading/byte-order.js'
import { Findings } from '../loading/diagnostic.js'
import type { LoadedSkill, Skill, SkillRoot, SkillScope } from '../loading/skill.js'

const RANK: Readonly<Record<SkillScope, number>> = { project: 0, configured: 1, user: 2, served: 3 }

/** Which of two roots goes before; the same whatever order they were given in. */
export function rootOrder(a: SkillRoot, b: SkillRoot): number {
  if (a === b) return 0
  return RANK[a.scope] - RANK[b.scope] || (a.rank ?? 0) - (b.rank ?? 0) || byteOrder(a.path, b.path)
}

const order = (a: LoadedSkill, b: LoadedSkill): number => rootOrder(a.root, b.root) || byteOrder(a.path, b.path)

/**
 * Of one name the first wins and the others are reported. What cannot be loaded shadows nothing. The result is in order
 * of precedence.
 */
export function resolveNames(loaded: Iterable<LoadedSkill>): readonly Skill[] {
  const winners = new Map<string, LoadedSkill>()
  return [...loaded].sort(order).map((skill) => {
    const winner = skill.loadable ? winners.get(skill.name) : undefined
    if (winner !== undefined) return shadowed(skill, winner)
    if (skill.loadable) winners.set(skill.name, skill)
    return unshadowed(skill)
  })
}

const resolved = new WeakMap<LoadedSkill, Skill>()

/** A skill that nothing goes before. One object for one reading, so that the skills that did not change are the same ones after a reload. */
export function unshadowed(skill: LoadedSkill): Skill {
  let made = resolved.get(skill)
  if (made === undefined) {
    made = Object.freeze({ ...skill, modelVisible: skill.loadable && skill.invocation.byModel })
    resolved.set(skill, made)
  }
  return made
}

function shadowed(skill: LoadedSkill, winner: LoadedSkill): Skill {
  const where = join(winner.root.path, winner.path)
  const findings = new Findings(skill.file)
  findings.add('name-shadowed', `${where}:`)
  return Object.freeze({
    ...skill,
    diagnostics: [...skill.diagnostics, ...findings.list()],
    shadowedBy: where,
    modelVisible: false,
  })
}
