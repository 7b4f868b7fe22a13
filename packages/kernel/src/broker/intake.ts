import type { ToolCallBlock } from '../content/block.js'
import type { CallId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import { canonicalJson, isJsonObject } from '../content/json.js'
import type { Provenance } from '../content/provenance.js'
import { leastTrust } from '../content/provenance.js'
import type { TenonError } from '../errors/error-table.js'
import { KernelError } from '../errors/kernel-errors.js'
import { normaliseError } from '../errors/normalise-error.js'
import type { Digest } from '../ports/digest.js'
import type { MaybePromise } from '../ports/maybe-promise.js'
import { isPromise } from '../ports/maybe-promise.js'
import type { Checked, SchemaProblem } from '../ports/schema.js'
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
 * Reads a step as a proposal: finds the tool, puts values in place of references, checks the arguments. Never throws:
 * whatever is wrong becomes the observation of that one call.
 */
export function takeIn(step: StepState, desk: IntakeDesk): MaybePromise<Intake> {
  const { block } = step
  const { tool, name, repairs } = findTool(block, desk.tools)
  if (!tool) return intake(step, desk, name, undefined, block.args, repairs, unknownTool(name, desk.tools))
  if (block.problem) {
    const error = new KernelError('arguments-invalid', block.problem.message, { detail: { ...block.problem } })
    return intake(step, desk, name, tool, block.args, repairs, error)
  }
  let args: JsonObject
  try {
    args = step.refs.length === 0 ? block.args : resolveReferences(block.args, (alias) => lookUp(alias, desk))
  } catch (thrown) {
    return intake(step, desk, name, tool, block.args, repairs, normaliseError(thrown, 'reference-dead'))
  }
  const done = (checked: Checked): Intake => {
    if (!checked.ok) return intake(step, desk, name, tool, args, repairs, invalid(name, checked.problems))
    return intake(step, desk, name, tool, isJsonObject(checked.value) ? checked.value : args, repairs, undefined)
  }
  const failed = (thrown: unknown): Intake =>
    intake(step, desk, name, tool, args, repairs, normaliseError(thrown, 'arguments-invalid'))
  try {
    const checked = tool.input.check(args)
    return isPromise(checked) ? checked.then(done, failed) : done(checked)
  } catch (thrown) {
    return failed(thrown)
  }
}

function findTool(
  block: ToolCallBlock,
  tools: ReadonlyMap<string, Tool>,
): { readonly tool: Tool | undefined; readonly name: string; readonly repairs: readonly string[] } {
  return { tool: tools.get(block.name), name: block.name, repairs: [] }
}

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
    effect: tool?.effect ?? 'once',
    key: keyOf(step.callId, name, args, replaces, desk),
    ...(replaces === undefined ? {} : { replaces }),
    ...(repairs.length === 0 ? {} : { repairs }),
    provenance: provenanceOf(step, desk.run),
  }
  return { proposal, tool, problem }
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
  const offered = [...tools.keys()]
  const list = offered.length === 0 ? 'No tools are offered.' : `The tools are: ${offered.join(', ')}.`
  return new KernelError('tool-unknown', `There is no tool named ${JSON.stringify(name)}. ${list}`)
}

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
