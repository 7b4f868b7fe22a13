import {
  type CallContext,
  type CallId,
  type Engine,
  type HandEvent,
  type HandResult,
  isJsonObject,
  type Json,
  type JsonObject,
  type RunState,
  runAgentTool,
  type SchemaCompiler,
  type Tool,
  text,
} from '@tenon/kernel'
import type { SkillSet } from '../discovery/skill-library.js'
import { SkillsError } from '../errors.js'
import type { LoadedSkill, Skill } from '../loading/skill.js'
import { skillDigest } from '../loading/skill-digest.js'
import { allowedTools } from './allowed-tools-rules.js'
import { findSkill } from './find-skill.js'
import { ACTIVATE_SKILL, BY_USER } from './named-skills.js'
import { readBody } from './read-body.js'
import { skillText } from './skill-text.js'
import type { SkillTrust } from './skill-trust.js'

export type ActivationOptions = {
  /** As of the last load; asked for at each call. */
  readonly skills: () => SkillSet
  readonly trust: SkillTrust
  readonly compile: SchemaCompiler
  /** Asked for at each call: the engine is made over agents that hold this tool. */
  readonly engine: () => Engine
  /** Names of the agent's tools, which `allowed-tools` may speak of. */
  readonly offered: () => ReadonlySet<string>
  /** Agents that a skill with `context: fork` may name. */
  readonly agents: ReadonlySet<string>
  /** Names the agent that is like this one and asks that model; undefined where no model has that name. */
  readonly underModel?: (agent: string, model: string) => string | undefined
  /** Told of each skill whose body is about to enter the view. */
  readonly onTakenUp?: (skill: LoadedSkill) => void
}

/** More names than this are not listed in the schema; the hand checks them all the same. */
const MAX_ENUM = 200

/**
 * Level two of a skill: its body enters the view, once and for good. What was activated stands in the journal with the
 * digest of all of the skill's files.
 */
export function activateSkillTool(options: ActivationOptions): Tool {
  const names = [...options.skills().byName.values()].filter(({ modelVisible }) => modelVisible).map(({ name }) => name)
  // A name that only the user may start goes through the hand too, so the schema must not refuse it.
  const all = [...options.skills().byName.keys()]
  const listed = names.length > 0 && all.length <= MAX_ENUM
  return Object.freeze({
    name: ACTIVATE_SKILL,
    title: 'Take up a skill',
    description:
      'Brings the method of a skill into view: its text, its folder and the list of its files. Call it before you begin a task that a skill of the catalogue fits, and once only.',
    input: options.compile({
      type: 'object',
      properties: {
        name: {
          type: 'string',
          description: 'Which skill, as the catalogue names it.',
          ...(listed ? { enum: all } : {}),
        },
        arguments: { type: 'string', description: 'What to apply it to, where the skill takes something.' },
      },
      required: ['name'],
      additionalProperties: false,
    }),
    effect: 'pure',
    origin: { kind: 'skill', name: 'skills' },
    // Some skills run as a sub-run of their own.
    spends: true,
    keep: true,
    run: (args: JsonObject, context: CallContext) => activate(options, args, context),
  } satisfies Tool)
}

async function* activate(
  options: ActivationOptions,
  args: JsonObject,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  const name = String(args.name)
  const task = typeof args.arguments === 'string' ? args.arguments : undefined
  const run = await options.engine().state(context.runId)
  const byUser = run.turn(run.step(context.callId).turnId).purpose === BY_USER
  const listed = findSkill(options.skills(), name, byUser ? 'user' : 'model')
  const read = readBody(listed)
  if (read === undefined)
    throw new SkillsError(
      'skill-unavailable',
      `The skill ${name} cannot be read any more. tenon skills doctor says why.`,
    )
  const digest = skillDigest(listed.folder)
  if (listed.invocation.fork && !(await isInsideItself(options.engine(), run, name))) {
    yield* forked(options, run, { ...read, digest, task }, context)
    return
  }
  if (isActive(run, context.callId, name, digest)) {
    yield notice(listed, digest, task)
    return
  }
  const trusted = digest !== undefined && options.trust.isTrusted(digest)
  options.onTakenUp?.(read.skill)
  const allowed = allowedTools(read.skill.allowedTools, options.offered())
  if (trusted)
    for (const { tool, pattern } of allowed)
      yield { kind: 'grant', tool, ...(pattern === undefined ? {} : { pattern }) }
  const note =
    read.skill.allowedTools.length === 0
      ? ''
      : trusted
        ? `May be called without asking: ${allowed.map(({ rule }) => rule).join(' ') || 'nothing of what it names'}.`
        : 'It names tools that it wants to use without asking; this version is not trusted, so each call asks as usual.'
  yield {
    kind: 'result',
    content: [text(skillText({ ...read, digest, args: task, note }))],
    value: record(listed, digest, task),
    provenance: { source: 'skill', name, trust: trusted ? 'vetted' : 'untrusted' },
  }
}

type Reading = {
  readonly skill: LoadedSkill
  readonly body: string
  readonly digest: string | undefined
  readonly task: string | undefined
}

/** `context: fork`: the skill is the goal of a run of its own, and only what comes of it enters this view. */
async function* forked(
  options: ActivationOptions,
  run: RunState,
  { skill, body, digest, task }: Reading,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  const { agent: wanted, model } = skill.invocation
  const usual = wanted !== undefined && options.agents.has(wanted) ? wanted : run.submission.agent
  const under = model === undefined ? undefined : options.underModel?.(usual, model)
  const agent = under ?? usual
  const child = runAgentTool({ engine: options.engine, agents: [{ name: agent }] })
  const goal = skillText({ skill, body, digest, args: task ?? 'Do what the skill says for the goal of the user.' })
  const events = child.run({ agent, goal }, context) as AsyncIterable<HandEvent>
  const missing = model !== undefined && under === undefined ? [text(withoutModel(skill.name, model))] : []
  for await (const event of events)
    yield event.kind === 'result'
      ? {
          ...event,
          content: [...missing, ...event.content],
          value: { ...record(skill, digest, task), agent, result: event.value ?? null },
        }
      : event
}

const withoutModel = (skill: string, model: string): string =>
  `The skill ${skill} asks for the model ${model}, which the configuration does not have; the usual one answered.`

/** In a run that was started for the skill, taking it up again means its text and not another run. */
async function isInsideItself(engine: Engine, run: RunState, name: string): Promise<boolean> {
  for (let { parent } = run.submission; parent !== undefined; ) {
    const above = await engine.state(parent.runId)
    const { tool, args } = above.call(parent.callId).proposal
    if (tool === ACTIVATE_SKILL && args.name === name) return true
    parent = above.submission.parent
  }
  return false
}

/** The text of this version stands in the view of this scope already, or a call before this one is bringing it there. */
function isActive(run: RunState, callId: CallId, name: string, digest: string | undefined): boolean {
  const { scope } = run.step(callId)
  let isBefore = true
  for (const { proposal, phase, outcome, value } of run.calls.values()) {
    if (proposal.callId === callId) isBefore = false
    else if (proposal.tool !== ACTIVATE_SKILL || proposal.scope !== scope) continue
    else if (phase === 'begun' && isBefore && proposal.args.name === name) return true
    else if (outcome === 'finished' && isJsonObject(value) && value.name === name && value.digest === (digest ?? null))
      return true
  }
  return false
}

const notice = (skill: Skill, digest: string | undefined, task: string | undefined): HandResult => ({
  kind: 'result',
  content: [
    text(
      `The skill ${skill.name} is active already; its text stands further up. Work by it${task ? `, this time with the arguments: ${task}` : '.'}`,
    ),
  ],
  value: { ...record(skill, digest, task), again: true },
  provenance: { source: 'host', trust: 'host' },
})

/** What the journal keeps of an activation. */
const record = (
  skill: LoadedSkill,
  digest: string | undefined,
  task: string | undefined,
): { readonly [key: string]: Json } => ({
  name: skill.name,
  digest: digest ?? null,
  scope: skill.root.scope,
  tokens: skill.bodyTokens,
  ...(task === undefined ? {} : { arguments: task }),
})
