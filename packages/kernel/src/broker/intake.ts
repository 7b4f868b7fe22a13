import type { ArgumentReading } from '../arguments/read-arguments.js'
import { readArguments } from '../arguments/read-arguments.js'
import { resolveName } from '../arguments/resolve-name.js'
import type { ArgumentProblem } from '../content/block.js'
import type { CallId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import { canonicalJson } from '../content/json.js'
import type { Provenance } from '../content/provenance.js'
import { leastTrust } from '../content/provenance.js'
import type { TenonError } from '../errors/error-table.js'
import { KernelError } from '../errors/kernel-errors.js'
import { normaliseError } from '../errors/normalise-error.js'
import type { Digest } from '../ports/digest.js'
import type { MaybePromise } from '../ports/maybe-promise.js'
import { isPromise } from '../ports/maybe-promise.js'
import type { SchemaProblem } from '../ports/schema.js'
import type { Tool } from '../ports/tool.js'
import type { StepState } from '../run/call-state.js'
import type { Proposal } from '../run/events.js'
import { resolveReferences } from '../run/references.js'
import type { RunState } from '../run/state.js'
import { toolDigest } from './consent.js'

/** A step that became a proposal, and what is wrong with it if it cannot run. */
export type Intake = {
  readonly proposal: Proposal
  readonly tool: Tool | undefined
  readonly problem: TenonError | undefined
}

export type IntakeDesk = {
  readonly run: RunState
  readonly runId: string
  readonly tools: ReadonlyMap<string, Tool>
  readonly digest: Digest
  /** Values of steps that the journal holds as artifacts, read before. */
  readonly loaded: ReadonlyMap<CallId, Json>
}

/**
 * Reads a step as a proposal: finds the tool, reads the arguments that were written, puts values in place of
 * references, checks the result. Never throws: whatever is wrong becomes the observation of that one call.
 */
export function takeIn(step: StepState, desk: IntakeDesk): MaybePromise<Intake> {
  const { block } = step
  const exact = desk.tools.get(block.name)
  // A dialect that reads calls out of text has repaired and refused some of them already.
  const made = block.repairs ?? NO_REPAIRS
  if (exact) return readCall(step, desk, exact, made)
  const found = resolveName(block.name, [...desk.tools.keys()])
  const tool = found.kind === 'tool' ? desk.tools.get(found.name) : undefined
  if (tool) return readCall(step, desk, tool, [...made, 'name-normalised'])
  const unnamed =
    found.kind === 'ambiguous' ? ambiguousTool(block.name, found.candidates) : unknownTool(block.name, desk.tools)
  const problem = block.problem ? unusable(block.problem) : unnamed
  return intake(step, desk, block.name, undefined, block.args, NO_REPAIRS, problem)
}

function readCall(step: StepState, desk: IntakeDesk, tool: Tool, repairs: readonly string[]): MaybePromise<Intake> {
  const { block } = step
  const { problem } = block
  if (problem && (block.argsText === undefined || !REREAD.has(problem.code)))
    return intake(step, desk, tool.name, tool, block.args, repairs, unusable(problem))
  try {
    const source =
      step.refs.length > 0
        ? resolveReferences(block.args, (alias) => lookUp(alias, desk))
        : (block.argsText ?? block.args)
    const reading = readArguments(source, tool, desk.run.turn(step.turnId).finish)
    if (!isPromise(reading)) return taken(step, desk, tool, repairs, reading)
    return reading.then(
      (done) => taken(step, desk, tool, repairs, done),
      (thrown) => unreadable(step, desk, tool, repairs, thrown),
    )
  } catch (thrown) {
    return unreadable(step, desk, tool, repairs, thrown)
  }
}

function taken(
  step: StepState,
  desk: IntakeDesk,
  tool: Tool,
  repairs: readonly string[],
  reading: ArgumentReading,
): Intake {
  if (!reading.ok) return intake(step, desk, tool.name, tool, step.block.args, repairs, unusable(reading.problem))
  const all = reading.repairs.length === 0 ? repairs : [...repairs, ...reading.repairs]
  return intake(step, desk, tool.name, tool, reading.args, all, undefined)
}

function unreadable(
  step: StepState,
  desk: IntakeDesk,
  tool: Tool,
  repairs: readonly string[],
  thrown: unknown,
): Intake {
  return intake(step, desk, tool.name, tool, step.block.args, repairs, normaliseError(thrown, 'arguments-invalid'))
}

const NO_REPAIRS: readonly string[] = Object.freeze([])

/** What a wire dialect says of a text that is no JSON: it may still have one lossless reading. */
const REREAD: ReadonlySet<string> = new Set(['args-malformed'])

function lookUp(alias: string, { run, loaded }: IntakeDesk): Json {
  const known = loaded.get(alias as CallId)
  return known === undefined ? run.valueOf(alias) : known
}

function intake(
  step: StepState,
  desk: IntakeDesk,
  name: string,
  tool: Tool | undefined,
  args: JsonObject,
  repairs: readonly string[],
  problem: TenonError | undefined,
): Intake {
  const replaces = step.block.replaces ?? desk.run.unhappyTwin(name, args)
  const proposal: Proposal = {
    callId: step.callId,
    scope: step.scope,
    tool: name,
    args,
    refs: step.refs,
    toolDigest: tool ? toolDigest(tool, desk.digest) : '',
    origin: tool?.origin ?? null,
    effect: tool?.effectOf?.(args) ?? tool?.effect ?? 'once',
    key: keyOf(step.callId, name, args, replaces, desk),
    provenance: provenanceOf(step, desk.run),
  }
  if (replaces === undefined && repairs.length === 0) return { proposal, tool, problem }
  const more = { ...(replaces === undefined ? {} : { replaces }), ...(repairs.length === 0 ? {} : { repairs }) }
  return { proposal: { ...proposal, ...more }, tool, problem }
}

/** The first key along the chain of replacements with the same tool and arguments. */
function keyOf(callId: CallId, tool: string, args: JsonObject, replaces: CallId | undefined, desk: IntakeDesk): string {
  const old = replaces === undefined ? undefined : desk.run.calls.get(replaces)
  if (old && old.proposal.tool === tool && canonicalJson(old.args) === canonicalJson(args)) return old.proposal.key
  return `${desk.runId}:${callId}`
}

/** A model's call is believed as little as the least of what the model saw and of what the arguments hold. */
function provenanceOf(step: StepState, run: RunState): Provenance {
  let trust = run.scope(step.scope).transcript.trust
  for (const callId of step.refs) trust = leastTrust(trust, run.call(callId).provenance?.trust ?? 'untrusted')
  return step.block.author ? { source: 'model', name: step.block.author.model, trust } : { source: 'host', trust }
}

function unknownTool(name: string, tools: ReadonlyMap<string, Tool>): KernelError {
  const offered = [...tools.keys()].slice(0, LISTED)
  const more = tools.size > offered.length ? ` and ${tools.size - offered.length} more` : ''
  const list = offered.length === 0 ? 'No tools are offered.' : `The tools are: ${offered.join(', ')}${more}.`
  return new KernelError('tool-unknown', `There is no tool named ${JSON.stringify(name)}. ${list}`)
}

const ambiguousTool = (name: string, candidates: readonly string[]): KernelError =>
  new KernelError(
    'tool-name-ambiguous',
    `${JSON.stringify(name)} may mean ${candidates.join(' or ')}. Use the exact name.`,
  )

const unusable = (problem: ArgumentProblem): KernelError =>
  new KernelError('arguments-invalid', problem.message, { detail: { ...problem } })

/** Names of tools that one message lists. */
const LISTED = 60

export function invalid(tool: string, problems: readonly SchemaProblem[]): KernelError {
  const told = problems.map(({ path, message }) => `${path === '' ? 'arguments' : path}: ${message}`).join('; ')
  return new KernelError(
    'arguments-invalid',
    `The arguments for ${tool} are not valid: ${told}. Correct them and call again.`,
    {
      detail: problems.map((problem) => ({ ...problem })),
    },
  )
}
