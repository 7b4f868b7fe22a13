import type { CallContext, Engine, HandEvent, JsonObject, RunId, SchemaCompiler, Tool } from '@tenon/kernel'
import { Delegation } from './delegation.js'
import { type DelegationHandle, readDelegationHandle } from './delegation-handle.js'
import { PeerError } from './peer-error.js'
import { questionIn } from './peer-question.js'
import type { Peers } from './peers.js'
import { resultOf, standingOf } from './task-result.js'
import { TaskView } from './task-view.js'

export type DelegationToolOptions = {
  readonly peers: Peers
  readonly compile: SchemaCompiler
  /** Asked for at each call: the engine is made over agents that hold these tools. */
  readonly engine: () => Engine
}

type Arguments = { readonly task: string; readonly wait?: boolean; readonly answer?: string }

const TASK = { type: 'string', minLength: 1, description: 'The task, as delegate told it.' }

/** What an agent does with work that it gave away without waiting: look, wait, answer, stop. */
export function delegationTools(options: DelegationToolOptions): readonly Tool[] {
  const { compile, peers } = options
  const made = (tool: Omit<Tool, 'origin' | 'trust' | 'input'>, properties: JsonObject, required: readonly string[]) =>
    Object.freeze({
      ...tool,
      origin: { kind: 'peer', name: 'delegate' },
      trust: 'untrusted',
      input: compile({ type: 'object', properties, required: [...required], additionalProperties: false }),
    } satisfies Tool)
  const answering = peers.all.some(({ config }) => config.questions === 'agent')
  return [
    made(
      {
        name: 'check_delegation',
        description: 'Shows how far a task is that was given to a peer, with what there is of its result; may wait.',
        effect: 'pure',
        run: (args, context) => check(options, args as Arguments, context),
      },
      { task: TASK, wait: { type: 'boolean', description: 'Wait until it has ended or asks something.' } },
      ['task'],
    ),
    made(
      {
        name: 'cancel_delegation',
        description: 'Tells a peer to stop a task that was given to it.',
        effect: 'idempotent',
        run: (args, context) => cancel(options, args as Arguments, context),
      },
      { task: TASK },
      ['task'],
    ),
    ...(answering
      ? [
          made(
            {
              name: 'answer_delegation',
              description:
                'Answers what a peer asks about a task, and waits for what comes of it. Only from what you know; otherwise ask the user first.',
              effect: 'once',
              outward: true,
              run: (args, context) => answer(options, args as Arguments, context),
            },
            { task: TASK, answer: { type: 'string', minLength: 1 } },
            ['task', 'answer'],
          ),
        ]
      : []),
  ]
}

async function* check(
  options: DelegationToolOptions,
  args: Arguments,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  const given = await givenTask(options, args.task, context.runId)
  const peer = options.peers.peer(given.peer)
  const link = await peer.link(context.signal)
  if (args.wait === true) {
    const handle = readDelegationHandle(context.handle) ?? { ...given, at: peer.clock.now() }
    if (context.handle === undefined) yield { kind: 'handle', handle: { ...handle, answered: [...handle.answered] } }
    yield* new Delegation(peer, link, context, handle).attach(handle, context.answers, context.key)
    return
  }
  const view = new TaskView(given.taskId)
  view.apply({ kind: 'task', task: await link.wire.get(given.taskId, context.signal) })
  const asked = questionIn(view.status)
  yield view.ended ? resultOf(peer.name, peer.trust, view) : standingOf(peer.name, peer.trust, view, asked)
}

async function* answer(
  options: DelegationToolOptions,
  args: Arguments,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  const given = await givenTask(options, args.task, context.runId)
  const peer = options.peers.peer(given.peer)
  if (peer.config.questions !== 'agent')
    throw new PeerError('peer-refused', `What ${peer.name} asks is for the user: call check_delegation and wait.`)
  const link = await peer.link(context.signal)
  const known = readDelegationHandle(context.handle)
  if (known !== undefined) {
    yield* new Delegation(peer, link, context, known).attach(known, context.answers, context.key)
    return
  }
  const asked = questionIn((await link.wire.get(given.taskId, context.signal)).status)
  if (asked?.kind !== 'question')
    throw new PeerError('peer-refused', `${peer.name} asks nothing about this task that you may answer.`)
  const handle = { ...given, at: peer.clock.now() }
  const words = { key: asked.id, resume: { kind: asked.kind }, answer: args.answer ?? '' }
  yield* new Delegation(peer, link, context, handle).attach(handle, [words], context.key)
}

async function* cancel(
  options: DelegationToolOptions,
  args: Arguments,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  const given = await givenTask(options, args.task, context.runId)
  const peer = options.peers.peer(given.peer)
  const { wire } = await peer.link(context.signal)
  const view = new TaskView(given.taskId)
  view.apply({ kind: 'task', task: await wire.cancel(given.taskId, context.signal) })
  yield standingOf(peer.name, peer.trust, view, undefined)
}

/** A task that this very run gave away: a model cannot reach those of other runs, whatever it writes. */
async function givenTask({ engine }: DelegationToolOptions, taskId: string, runId: RunId): Promise<DelegationHandle> {
  const run = await engine().state(runId)
  for (const call of run.calls.values()) {
    const handle = readDelegationHandle(call.handle)
    if (call.proposal.tool === 'delegate' && handle?.taskId === taskId) return { ...handle, answered: [] }
  }
  throw new PeerError('peer-unknown', `This run has given away no task ${JSON.stringify(taskId.slice(0, 100))}.`)
}
