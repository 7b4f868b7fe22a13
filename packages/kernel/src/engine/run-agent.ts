import { text } from '../content/block.js'
import { RequestId, RunId, sortableId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import { isJsonObject } from '../content/json.js'
import { userMessage } from '../content/message.js'
import type { Trust } from '../content/provenance.js'
import { leastTrust } from '../content/provenance.js'
import { isTenonError } from '../errors/error-table.js'
import { KernelError } from '../errors/kernel-errors.js'
import type { Checked, Schema, SchemaProblem } from '../ports/schema.js'
import type { CallContext, HandEvent, HandResult, InputNeed, NeedAnswer, Tool } from '../ports/tool.js'
import type { Amounts } from '../run/amounts.js'
import type { InputRequest, Limits, RunEventOf } from '../run/events.js'
import type { RunState } from '../run/state.js'
import { CONSENT } from '../run/state.js'
import type { Engine } from './engine-api.js'

export type RunAgentOptions = {
  /** Asked for at each call: the engine is made over agents that hold this tool. */
  readonly engine: () => Engine
  /** The agents that may be started, as a model reads of them. At least one. */
  readonly agents: readonly { readonly name: string; readonly description?: string }[]
  /** Bounds of each sub-run, in place of its agent's own. */
  readonly limits?: Limits
}

/**
 * A sub-run as a hand. The child's run id is the handle and is journalled before the child is made, so a restart finds
 * the child or knows that there is none. What the child asks is asked on the parent too, under the child's request id,
 * and the answer goes down; canceling goes down; what came of it goes up with the least trust of what the child saw.
 */
export function runAgentTool(options: RunAgentOptions): Tool {
  const [first] = options.agents
  if (first === undefined)
    throw new KernelError('tool-invalid', 'run_agent needs at least one agent that it may start.')
  const described = options.agents.map(({ name, description }) => (description ? `${name}: ${description}` : name))
  return Object.freeze({
    name: 'run_agent',
    title: 'Start an agent',
    description: `Gives a goal to another agent and waits for its result. It knows nothing but the goal. Agents:\n${described.join('\n')}`,
    input: inputSchema(options.agents.map(({ name }) => name)),
    effect: 'idempotent',
    spends: true,
    origin: { kind: 'run', name: 'run_agent' },
    run: (args: JsonObject, context: CallContext) => subRun(options, args as Args, context),
  } satisfies Tool)
}

type Args = { readonly agent: string; readonly goal: string }

async function* subRun(options: RunAgentOptions, args: Args, context: CallContext): AsyncGenerator<HandEvent> {
  const engine = options.engine()
  let child = childOf(context.handle)
  if (child === undefined) {
    child = RunId(`run_${sortableId()}`)
    yield { kind: 'handle', handle: { runId: child } }
  }
  await makeUnlessThere(options, engine, child, args, context)
  yield* attend(engine, child, args.agent, context)
}

const childOf = (handle: Json | undefined): RunId | undefined =>
  isJsonObject(handle) && typeof handle.runId === 'string' ? RunId(handle.runId) : undefined

async function makeUnlessThere(
  { limits }: RunAgentOptions,
  engine: Engine,
  child: RunId,
  { agent, goal }: Args,
  { runId, callId, signal, budget }: CallContext,
): Promise<void> {
  if (await isThere(engine, child)) return
  signal.throwIfAborted()
  const parent = await engine.state(runId)
  const { submission } = parent
  const { trust } = parent.call(callId).proposal.provenance
  await engine.submit({
    runId: child,
    agent,
    goal: userMessage(goal, { source: 'run', name: submission.agent, trust }),
    contextId: submission.contextId,
    parent: { runId, callId, depth: submission.depth + 1 },
    ...(limits === undefined ? {} : { limits }),
    ...(budget === undefined ? {} : { budget }),
    ...(submission.deadline === undefined ? {} : { deadline: submission.deadline }),
    ...(submission.principal === undefined ? {} : { principal: submission.principal }),
  })
}

async function isThere(engine: Engine, runId: RunId): Promise<boolean> {
  try {
    await engine.state(runId)
    return true
  } catch (error) {
    if (isTenonError(error) && error.code === 'run-unknown') return false
    throw error
  }
}

/** Hands answers down, then waits until the child has ended or asks something; leaves when it asks. */
async function* attend(engine: Engine, child: RunId, agent: string, context: CallContext): AsyncGenerator<HandEvent> {
  const { signal, answers } = context
  const refusals = new Map<string, string>()
  let handedDown = await handDown(engine, child, answers, refusals)
  for (;;) {
    if (signal.aborted) {
      const reason = await stopped(engine, child, signal.reason)
      yield { kind: 'spent', spent: spentBy(await engine.state(child)) }
      throw reason
    }
    const run = await engine.state(child)
    const open = [...run.inputs.values()].filter((request) => !handedDown.has(request.requestId))
    if (run.ended || open.length > 0) {
      yield* withdrawAnswered(engine, run, context)
      if (run.ended) yield resultOf(run, run.ended, agent)
      else yield { kind: 'needs-input', needs: open.map((request) => needOf(child, request, refusals)) }
      return
    }
    const parked = yield* watch(engine, child, agent, run.seq, signal)
    // An answer that is still open when nothing moves any more was not taken: it is asked for again.
    if (parked) handedDown = new Set()
  }
}

/** A call that is canceled or timed out takes its run with it; a process that only lets go of a call does not. */
async function stopped(engine: Engine, child: RunId, reason: unknown): Promise<unknown> {
  if (!isTenonError(reason)) return reason
  await engine.cancel(child, reason.message)
  await engine.drive(child)
  return reason
}

async function handDown(
  engine: Engine,
  child: RunId,
  answers: readonly NeedAnswer[],
  refusals: Map<string, string>,
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>()
  for (const { key, answer } of answers)
    try {
      await engine.answer(child, RequestId(key), answer)
      taken.add(key)
    } catch (error) {
      if (!isTenonError(error)) throw error
      // Answered elsewhere in the meantime: then there is nothing left to do.
      if (error.code === 'request-unknown') continue
      if (error.code !== 'answer-invalid') throw error
      refusals.set(key, error.message)
    }
  return taken
}

/** Follows the child until it asks, ends, parks, or the call is stopped. True when nobody drives it any more. */
async function* watch(
  engine: Engine,
  child: RunId,
  agent: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<HandEvent, boolean> {
  const stop = new AbortController()
  const onAbort = (): void => stop.abort()
  signal.addEventListener('abort', onAbort, { once: true })
  let rested = false
  let failure: unknown
  const driven = engine.drive(child).then(
    () => {
      rested = true
      stop.abort()
    },
    (error) => {
      failure = error
      stop.abort()
    },
  )
  try {
    for await (const item of engine.follow(child, { after, signal: stop.signal })) {
      if (item.kind !== 'event') continue
      if (item.event.kind === 'input-requested' || item.event.kind === 'run-ended') return false
      if (item.event.kind === 'call-proposed') yield { kind: 'progress', message: `${agent}: ${item.event.call.tool}` }
    }
    if (signal.aborted) return false
    await driven
    if (failure !== undefined) throw failure
    return rested
  } finally {
    signal.removeEventListener('abort', onAbort)
    stop.abort()
  }
}

/** What was asked on the parent and is not open at the child any more was answered there. */
async function* withdrawAnswered(
  engine: Engine,
  child: RunState,
  { runId, callId }: CallContext,
): AsyncGenerator<HandEvent> {
  const parent = await engine.state(runId)
  for (const asked of [...parent.inputs.values()])
    if (asked.callId === callId && asked.key !== CONSENT && (child.ended || !child.inputs.has(RequestId(asked.key))))
      yield { kind: 'input-withdrawn', key: asked.key }
}

function needOf(child: RunId, request: InputRequest, refusals: ReadonlyMap<string, string>): InputNeed {
  const { requestId, kind, prompt, reason, schema, via, forHost } = request
  return {
    key: requestId,
    kind,
    prompt: [refusals.get(requestId), prompt, reason].filter((part) => part !== undefined).join(' '),
    ...(schema === undefined ? {} : { schema }),
    resume: null,
    ...(forHost ? { forHost } : {}),
    via: via ?? { runId: child, requestId },
  }
}

function resultOf(run: RunState, ended: RunEventOf<'run-ended'>, agent: string): HandResult {
  const done = ended.state === 'completed'
  const why = ended.error === undefined ? '' : ` (${ended.error.code})`
  const content = [...(done ? [] : [text(`${agent} did not finish: ${ended.state}${why}.`)]), ...ended.blocks]
  return {
    kind: 'result',
    content: content.length > 0 ? content : [text(`${agent} finished and said nothing.`)],
    ...(ended.output === undefined ? {} : { value: ended.output }),
    ...(done ? {} : { isError: true }),
    provenance: { source: 'run', name: agent, trust: trustOf(run) },
    spent: spentBy(run),
  }
}

/** Of the child and all below it. */
function spentBy({ totals }: RunState): Amounts {
  return { tokens: totals.tokens, calls: totals.calls, money: totals.cost }
}

/** The child's words are worth what the least of what it read is worth. */
function trustOf(run: RunState): Trust {
  let trust = leastTrust('vetted', run.submission.goal.provenance.trust)
  for (const call of run.calls.values()) if (call.provenance) trust = leastTrust(trust, call.provenance.trust)
  return trust
}

/** Written out, because the kernel has no schema compiler. */
function inputSchema(names: readonly string[]): Schema {
  const json: JsonObject = {
    type: 'object',
    properties: {
      agent: { enum: names, description: 'Which agent.' },
      goal: { type: 'string', minLength: 1, description: 'What it shall reach, with everything that it has to know.' },
    },
    required: ['agent', 'goal'],
    additionalProperties: false,
  }
  return Object.freeze({ json, check: (value: Json) => checkArgs(value, names) })
}

function checkArgs(value: Json, names: readonly string[]): Checked {
  if (!isJsonObject(value)) return { ok: false, problems: [{ path: '', message: 'must be an object' }] }
  const problems: SchemaProblem[] = []
  const { agent, goal, ...others } = value
  if (typeof agent !== 'string' || !names.includes(agent))
    problems.push({ path: '/agent', message: `must be one of ${names.map((name) => JSON.stringify(name)).join(', ')}` })
  if (typeof goal !== 'string' || goal.trim() === '')
    problems.push({ path: '/goal', message: 'must say what to reach' })
  for (const key of Object.keys(others))
    problems.push({ path: `/${key}`, message: 'is not a known key; known keys: agent, goal' })
  return problems.length === 0 ? { ok: true, value } : { ok: false, problems }
}
