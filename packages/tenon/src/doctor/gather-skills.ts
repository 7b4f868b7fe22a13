import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  catalogueOf,
  DIAGNOSTICS,
  missingRequirements,
  requirementsOf,
  type Skill,
  SkillIndex,
  type Surroundings,
  scriptsOf,
} from '@tenon/skills'
import type { OpenSkills } from '../skills/open-skills.js'
import type { CatalogueFacts, SkillFacts } from './project-facts.js'

export function gatherSkills(skills: OpenSkills | undefined, around: Surroundings): readonly SkillFacts[] {
  return skills?.current().skills.map((skill) => skillFacts(skill, around)) ?? []
}

function skillFacts(skill: Skill, around: Surroundings): SkillFacts {
  const { name, folder, file, loadable, modelVisible, shadowedBy, allowedTools, diagnostics } = skill
  const problem = diagnostics.find(({ kind }) => DIAGNOSTICS[kind].blocks)
  return {
    name,
    folder,
    loadable,
    modelVisible,
    text: loadable ? readFileSync(join(folder, file), 'utf8') : '',
    allowedTools,
    requires: requirementsOf(skill),
    missing: loadable ? missingRequirements(skill, around) : [],
    scripts: scriptsOf(skill),
    ...(shadowedBy === undefined ? {} : { shadowedBy }),
    ...(problem === undefined ? {} : { problem: problem.message }),
  }
}

/** Large enough that nothing is cut. */
const UNBOUNDED = 1e9

/** What the catalogue of skills would take if nothing were cut, beside what it may take. */
export function skillCatalogue(skills: OpenSkills | undefined, window: number): CatalogueFacts {
  const offered = skills?.current().skills.filter(({ modelVisible }) => modelVisible) ?? []
  const whole = catalogueOf(offered, { budget: UNBOUNDED, index: new SkillIndex([]) })
  const budget = skills?.catalogue({ window })?.budget ?? 0
  return { entries: offered.length, tokens: whole?.tokens ?? 0, budget }
}
