import { allowedTools, requirementsOf, SkillsError, skillDigest } from '@tenon/skills'
import { BUILTIN_TOOL_NAMES } from '../../host/builtin-tool-names.js'
import { diagnosticLines } from '../../skills/diagnostic-lines.js'
import { skillPlace, skillRecord, skillState } from '../../skills/skill-state.js'
import { type PlaceOptions, skillsOfPlace } from '../../skills/skills-of-place.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'
import { table } from '../printer/table.js'

/** `tenon skills show`: all skills of that name, the one that counts first. */
export async function showSkill(
  io: Io,
  name: string,
  options: PlaceOptions & { readonly json?: boolean },
): Promise<number> {
  const { skills } = await skillsOfPlace(io, options)
  const found = skills.current().skills.filter((skill) => skill.name === name)
  const [skill] = found
  if (skill === undefined)
    throw new SkillsError(
      'skill-unknown',
      `There is no skill ${JSON.stringify(name)}. tenon skills list shows what there is.`,
    )
  const digest = skillDigest(skill.folder)
  const trusted = digest !== undefined && skills.trust.isTrusted(digest)
  if (options.json) {
    io.stdout.write(`${JSON.stringify({ ...skillRecord(skill), digest: digest ?? null, trusted })}\n`)
    return EXIT.completed
  }
  const known = new Set([...BUILTIN_TOOL_NAMES, 'run_command'])
  const { argumentHint, fork } = skill.invocation
  // What a server offers is known only while it runs.
  const understood = new Set(allowedTools(skill.allowedTools, known).map(({ rule }) => rule))
  const meaningless = skill.allowedTools.filter((rule) => !understood.has(rule) && !rule.startsWith('mcp__'))
  const needs = requirementsOf(skill).map((one) => `${one.kind}:${one.name}`)
  const rows: string[][] = [
    ['name', skill.name],
    ['state', skillState(skill)],
    ['folder', skillPlace(skill)],
    ['description', skill.description ?? 'none'],
    ['digest', `${digest ?? 'too large, or not readable'} (${trusted ? 'trusted' : 'not trusted'})`],
    ['text', `about ${skill.bodyTokens} tokens`],
    ...(argumentHint === undefined ? [] : [['arguments', argumentHint]]),
    ...(fork ? [['works in', 'a run of its own']] : []),
    ...(skill.allowedTools.length === 0 ? [] : [['allowed-tools', skill.allowedTools.join(' ')]]),
    ...(meaningless.length === 0 ? [] : [['  no tool here', meaningless.join(' ')]]),
    ...(needs.length === 0 ? [] : [['needs', needs.join(' ')]]),
    ...(skill.extra.size === 0 ? [] : [['other keys', [...skill.extra.keys()].join(', ')]]),
    ...skill.resources.map((path, index) => [index === 0 ? 'files' : '', path]),
  ]
  io.stdout.write(table(rows.map((row) => row.map((cell) => safeText(cell.replace(/\s+/g, ' '))))))
  for (const one of found) for (const line of diagnosticLines(one)) io.stdout.write(`${line}\n`)
  return EXIT.completed
}
