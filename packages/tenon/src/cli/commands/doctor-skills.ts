import { misplacedSkills, missingRequirements, skillDigest } from '@tenon/skills'
import { PEER_TOOL_NAMES } from '../../a2a/peer-tool-names.js'
import { BUILTIN_TOOL_NAMES } from '../../host/builtin-tool-names.js'
import { diagnosticLines } from '../../skills/diagnostic-lines.js'
import { missingTools } from '../../skills/missing-tools.js'
import { REQUIREMENT_WORDS } from '../../skills/requirement-words.js'
import { SKILL_TOOL_NAMES } from '../../skills/skill-tool-names.js'
import { type PlaceOptions, skillsOfPlace } from '../../skills/skills-of-place.js'
import { surroundingsOf } from '../../skills/surroundings-of.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'

const NO_SUCH_MODEL = 'none of that name stands under models in tenon.yaml, so the usual one answers'
const NO_RUN_OF_ITS_OWN = 'only a skill with "context: fork" can have its own, so the usual one answers'

/** `tenon skills doctor`: everything that keeps a skill from working, and what to do about it. Exit code 1 if anything does. */
export async function doctorSkills(io: Io, options: PlaceOptions): Promise<number> {
  const place = await skillsOfPlace(io, options)
  const { skills } = place.skills.current()
  const around = surroundingsOf({
    config: place.loaded.config,
    tools: [
      ...BUILTIN_TOOL_NAMES,
      ...SKILL_TOOL_NAMES,
      ...(place.loaded.config.peers === undefined ? [] : PEER_TOOL_NAMES),
      'run_command',
    ],
    skills: place.skills.current().byName.keys(),
    environment: io.environment,
  })
  // What a server offers is known only while it runs; tenon doctor asks it.
  const isOffered = (tool: string): boolean =>
    around.tools.has(tool) || [...around.servers].some((server) => tool.startsWith(`${server}__`))
  let bad = 0
  const say = (mark: string, text: string): void => {
    if (mark === '✗') bad++
    io.stdout.write(`${mark} ${safeText(text)}\n`)
  }
  for (const skill of skills) {
    for (const line of diagnosticLines(skill)) say(skill.loadable ? '-' : '✗', line)
    if (!skill.loadable) continue
    for (const { kind, name } of missingRequirements(skill, around))
      say('✗', `${skill.name} needs ${kind}:${name}: ${REQUIREMENT_WORDS[kind]}`)
    for (const text of missingTools(skill.allowedTools, isOffered)) say('✗', `${skill.name}: ${text}`)
    const { model, fork } = skill.invocation
    if (model !== undefined && !(fork && place.loaded.config.models?.[model]))
      say('-', `${skill.name} asks for the model ${model}: ${fork ? NO_SUCH_MODEL : NO_RUN_OF_ITS_OWN}`)
    const { trust } = place.skills
    if (trust.trustedBefore(skill.name) !== undefined && !trust.isTrusted(skillDigest(skill.folder) ?? ''))
      say('-', `${skill.name} has changed since it was trusted: look at it, then tenon skills trust ${skill.name}`)
  }
  for (const { path, told } of misplacedSkills(place.workspace, place.skills.library.roots))
    say('✗', `${path}: ${told}`)
  for (const root of place.skills.library.roots.filter(({ scope }) => scope === 'configured'))
    if (!skills.some((skill) => skill.root === root)) say('✗', `skills.folders: there are no skills in ${root.path}`)
  for (const notice of place.skills.current().notices) say('✗', notice)
  const untrusting = place.skills.trust.problem()
  if (untrusting !== undefined) say('✗', untrusting)
  const ready = place.skills.current().byName.size
  io.stdout.write(`${bad === 0 ? '✓' : '-'} ${ready} of ${skills.length} skills are ready\n`)
  return bad === 0 ? EXIT.completed : EXIT.failed
}
