import type { HostStep, JsonObject, Planner, RunState } from '@tenon/kernel'
import { isJsonObject, ROOT_SCOPE } from '@tenon/kernel'
import type { SkillSet } from '../discovery/skill-library.js'

/** A skill that a person named in what they typed, and what they wrote behind it. */
export type NamedSkill = { readonly name: string; readonly args?: string }

/** The tool by which a skill enters a view, whoever wants it. */
export const ACTIVATE_SKILL = 'activate_skill'

/** The purpose of the turn in which the host writes what a person named. */
export const BY_USER = 'skill-by-user'

const COMMAND = /^\/([^\s/]+)(?:\s+([\s\S]*))?$/
const MENTION = /(?:^|\s)\$([\p{L}\p{N}][\p{L}\p{N}._-]*)/gu
const MAX_NAMED = 5

/**
 * The skills that a text names: `/name args` at its beginning, `$name` anywhere. What is no skill of the set is left to
 * mean what it says.
 */
export function skillsNamedIn(text: string, { byName }: SkillSet): readonly NamedSkill[] {
  const named = new Map<string, NamedSkill>()
  const [, command, args] = COMMAND.exec(text.trim()) ?? []
  if (command !== undefined && byName.get(command)?.invocation.byUser)
    named.set(command, { name: command, ...(args === undefined || args.trim() === '' ? {} : { args: args.trim() }) })
  for (const [, mention = ''] of text.matchAll(MENTION)) {
    const name = byName.has(mention) ? mention : mention.replace(/[.-]+$/, '')
    if (named.size < MAX_NAMED && !named.has(name) && byName.get(name)?.invocation.byUser) named.set(name, { name })
  }
  return [...named.values()]
}

/** What a run's metadata holds, so that a restart finds it: the key and its value. */
export const namedSkillsMetadata = (named: readonly NamedSkill[]): JsonObject =>
  named.length === 0
    ? {}
    : { [METADATA]: named.map(({ name, args }) => ({ name, ...(args === undefined ? {} : { args }) })) }

const METADATA = 'skills'

/** Begins each run with the skills that its user named, in a turn that the host writes; then it is the planner's. */
export function beginningWithNamedSkills(planner: Planner): Planner {
  return {
    name: planner.name,
    version: planner.version,
    next(run) {
      const steps = run.turns.size === 0 ? stepsOf(run) : []
      if (steps.length === 0) return planner.next(run)
      return [{ kind: 'write', scope: ROOT_SCOPE, purpose: BY_USER, blocks: steps }]
    },
  }
}

function stepsOf(run: RunState): readonly HostStep[] {
  const named = run.submission.metadata?.[METADATA]
  if (!Array.isArray(named)) return []
  return named.flatMap((one: unknown) => {
    if (!isJsonObject(one) || typeof one.name !== 'string') return []
    const task = typeof one.args === 'string' ? { arguments: one.args } : {}
    return [{ tool: ACTIVATE_SKILL, args: { name: one.name, ...task } }]
  })
}
