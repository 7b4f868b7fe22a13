import { misplacedSkills, missingRequirements, type Surroundings, skillDigest } from '@tenon/skills'
import { BUILTIN_TOOL_NAMES } from '../../host/builtin-tool-names.js'
import { diagnosticLines } from '../../skills/diagnostic-lines.js'
import { SKILL_TOOL_NAMES } from '../../skills/skill-tool-names.js'
import { type PlaceOptions, type SkillsOfPlace, skillsOfPlace } from '../../skills/skills-of-place.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'

/** `tenon skills doctor`: everything that keeps a skill from working, and what to do about it. Exit code 1 if anything does. */
export async function doctorSkills(io: Io, options: PlaceOptions): Promise<number> {
  const place = await skillsOfPlace(io, options)
  const { skills } = place.skills.current()
  const around = surroundings(io, place)
  let bad = 0
  const say = (mark: string, text: string): void => {
    if (mark === '✗') bad++
    io.stdout.write(`${mark} ${safeText(text)}\n`)
  }
  for (const skill of skills) {
    for (const line of diagnosticLines(skill)) say(skill.loadable ? '-' : '✗', line)
    if (!skill.loadable) continue
    for (const { kind, name } of missingRequirements(skill, around))
      say('✗', `${skill.name} needs ${kind}:${name}: ${MISSING[kind]}`)
    const before = place.skills.trust.trustedBefore(skill.name)
    if (before !== undefined && before !== skillDigest(skill.folder))
      say('-', `${skill.name} has changed since it was trusted: look at it, then tenon skills trust ${skill.name}`)
  }
  for (const { path, told } of misplacedSkills(place.workspace, place.skills.library.roots))
    say('✗', `${path}: ${told}`)
  for (const root of place.skills.library.roots.filter(({ scope }) => scope === 'configured'))
    if (!skills.some((skill) => skill.root === root)) say('✗', `skills.folders: there are no skills in ${root.path}`)
  for (const notice of place.skills.current().notices) say('✗', notice)
  const ready = place.skills.current().byName.size
  io.stdout.write(`${bad === 0 ? '✓' : '-'} ${ready} of ${skills.length} skills are ready\n`)
  return bad === 0 ? EXIT.completed : EXIT.failed
}

const MISSING = {
  tool: 'no tool of that name is offered here',
  mcp: 'no such server stands under mcp.servers in tenon.yaml',
  peer: 'no such peer is configured',
  skill: 'no such skill is here',
  bin: 'that program is not installed',
  env: 'that variable is not set',
  script: 'the skill has no such file',
} as const

function surroundings(io: Io, { loaded, skills }: SkillsOfPlace): Surroundings {
  const { config } = loaded
  return {
    tools: new Set([...BUILTIN_TOOL_NAMES, ...SKILL_TOOL_NAMES, 'run_skill_script', 'run_command']),
    servers: new Set(Object.keys(config.mcp?.servers ?? {})),
    peers: new Set(Object.keys(config.agents ?? {})),
    skills: new Set(skills.current().byName.keys()),
    environment: io.environment,
  }
}
