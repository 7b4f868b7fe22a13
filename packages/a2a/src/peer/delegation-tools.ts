import type { CallContext, Engine, HandEvent, JsonObject, SchemaCompiler, Tool } from '@tenon/kernel'
import { Delegation } from './delegation.js'
import { type DelegationHandle, handleJson, readDelegationHandle } from './delegation-handle.js'
import type { Peer, PeerLink } from './peer.js'
import { PeerError } from './peer-error.js'
import { questionIn } from './peer-question.js'
import type { PeerTask } from './peer-task.js'
import type { Peers } from './peers.js'
import { type JoinedCall, settling } from './spent-by-peer.js'
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
  { task, wait }: Arguments,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  const given = await givenTask(options, task, context)
  if (wait === true) {
    const handle = given.known ?? given.handle
    if (given.known === undefined) yield { kind: 'handle', handle: handleJson(handle) }
    yield* joined(given, context).attach(handle, context.answers, context.key)
    return
  }
  const { peer, link, joins } = given
  const view = viewOf(given.handle, await link.wire.get(given.handle.taskId, context.signal))
  const found = view.ended
    ? resultOf(peer.name, peer.trust, view)
    : standingOf(peer.name, peer.trust, view, questionIn(view.status))
  yield settling(found, peer, link, view, joins)
}

async function* answer(
  options: DelegationToolOptions,
  args: Arguments,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  const given = await givenTask(options, args.task, context)
  const { peer, link, handle, known } = given
  if (peer.config.questions !== 'agent')
    throw new PeerError('peer-refused', `What ${peer.name} asks is for the user: call check_delegation and wait.`)
  if (known !== undefined) {
    yield* joined(given, context).attach(known, context.answers, context.key)
    return
  }
  const asked = questionIn((await link.wire.get(handle.taskId, context.signal)).status)
  if (asked?.kind !== 'question')
    throw new PeerError('peer-refused', `${peer.name} asks nothing about this task that you may answer.`)
  const words = { key: asked.id, resume: { kind: asked.kind }, answer: args.answer ?? '' }
  yield* joined(given, context).attach(handle, [words], context.key)
}

async function* cancel(
  options: DelegationToolOptions,
  { task }: Arguments,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  const { peer, link, handle, joins } = await givenTask(options, task, context)
  const view = viewOf(handle, await link.wire.cancel(handle.taskId, context.signal))
  yield settling(standingOf(peer.name, peer.trust, view, undefined), peer, link, view, joins)
}

type GivenTask = {
  readonly peer: Peer
  readonly link: PeerLink
  /** As the call that gave it away left it. */
  readonly handle: DelegationHandle
  /** As an earlier entry of this very call left it. */
  readonly known: DelegationHandle | undefined
  readonly joins: JoinedCall
}

/** A task that this very run gave away: a model cannot reach those of other runs, whatever it writes. */
async function givenTask(
  { engine, peers }: DelegationToolOptions,
  taskId: string,
  { runId, handle: own, signal }: CallContext,
): Promise<GivenTask> {
  const run = await engine().state(runId)
  for (const [callId, call] of run.calls) {
    const handle = readDelegationHandle(call.handle)
    if (call.proposal.tool !== 'delegate' || handle?.taskId !== taskId) continue
    const peer = peers.peer(handle.peer)
    return {
      peer,
      link: await peer.link(signal),
      handle: { ...handle, answered: [], at: peer.clock.now() },
      known: readDelegationHandle(own),
      joins: { callId, budget: call.budget, isOpen: call.goesOn },
    }
  }
  throw new PeerError('peer-unknown', `This run has given away no task ${JSON.stringify(taskId.slice(0, 100))}.`)
}

function joined({ peer, link, handle, known, joins }: GivenTask, context: CallContext): Delegation {
  return new Delegation(peer, link, context, known ?? handle, { joins })
}

function viewOf({ taskId }: DelegationHandle, task: PeerTask): TaskView {
  const view = new TaskView(taskId)
  view.apply({ kind: 'task', task })
  return view
}
