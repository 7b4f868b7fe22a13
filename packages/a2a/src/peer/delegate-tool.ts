import { createHash } from 'node:crypto'
import type { CallContext, Engine, HandEvent, Json, JsonObject, Schema, SchemaCompiler, Tool } from '@tenon/kernel'
import { isTenonError } from '@tenon/kernel'
import { BUDGET_EXTENSION, budgetMetadata } from '../budget/budget-extension.js'
import { cancelAtPeer } from './cancel-at-peer.js'
import { Delegation } from './delegation.js'
import { readDelegationHandle } from './delegation-handle.js'
import { outParts, type PartArgument, type ReadArtifact } from './out-parts.js'
import type { Peer, PeerLink } from './peer.js'
import type { Peers } from './peers.js'
import type { OutMessage } from './wire/dialect.js'

export type DelegateOptions = {
  readonly peers: Peers
  readonly compile: SchemaCompiler
  /** Bytes of an artifact that the model names; without it artifacts cannot be sent. */
  readonly artifact?: ReadArtifact
  /** Asked for at each call. With it work may be given away without waiting, and joined later. */
  readonly engine?: () => Engine
}

type Arguments = {
  readonly peer: string
  readonly brief: string
  readonly parts?: readonly PartArgument[]
  readonly wait?: boolean
}

/**
 * A delegation as a hand. The peer's task id is the handle: it is in the journal before anything waits, so a restart
 * attaches to the task and sends nothing again. What the peer asks is asked of the run; canceling goes down.
 */
export function delegateTool(options: DelegateOptions): Tool {
  const { peers, compile, engine } = options
  const names = peers.all.map(({ name }) => name)
  const about = peers.all.map(({ name, config }) => `${name}${config.description ? `: ${config.description}` : ''}`)
  return Object.freeze({
    name: 'delegate',
    title: 'Give work to a peer',
    description:
      'Gives work to another agent, which plans by itself, may ask back, and knows nothing but the brief. ' +
      `It may take seconds or days. Peers:\n${about.join('\n')}`,
    input: compile(inputSchema(names, engine !== undefined)) satisfies Schema,
    effect: 'once',
    origin: { kind: 'peer', name: 'delegate' },
    trust: 'untrusted',
    outward: true,
    spends: true,
    run: (args: JsonObject, context: CallContext) => delegate(options, args as Arguments, context),
    stop: (handle: Json) => stopDelegation(peers, handle),
  } satisfies Tool)
}

async function* delegate(
  { peers, artifact, engine }: DelegateOptions,
  { peer: name, brief, parts = [], wait = true }: Arguments,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  const { handle: kept, answers, signal, key } = context
  const peer = peers.peer(name)
  const handle = readDelegationHandle(kept)
  const link = await linkTo(peer, signal, handle !== undefined)
  const messageId = createHash('sha256').update(key).digest('hex').slice(0, 32)
  const detached = !wait && engine !== undefined
  const delegation = new Delegation(peer, link, context, handle, {
    detached,
    ...(peers.push === undefined ? {} : { push: peers.push }),
  })
  const events =
    handle === undefined
      ? delegation.begin({
          messageId,
          parts: [{ text: brief }, ...(await outParts(parts, artifact))],
          ...(link.budgets ? await budgeted(context, engine) : {}),
        })
      : delegation.attach(handle, answers, messageId)
  yield* events
}

/** Tells the peer to stop a task that its run did not wait for. */
async function stopDelegation(peers: Peers, json: Json): Promise<void> {
  const handle = readDelegationHandle(json)
  if (handle === undefined) return
  const peer = peers.peer(handle.peer)
  await cancelAtPeer(peer, await peer.link(AbortSignal.timeout(peer.limits.cancelMs)), handle.taskId)
}

/** A task that is there may have to be told to stop: then its peer is reached although the call is stopped already. */
async function linkTo(peer: Peer, signal: AbortSignal, taken: boolean): Promise<PeerLink> {
  if (!taken) return peer.link(signal)
  const { clock, limits } = peer
  const leave = new AbortController()
  let forget = (): void => undefined
  const stop = (): void => {
    forget = clock.after(isTenonError(signal.reason) ? limits.cancelMs : 0, () => leave.abort(signal.reason))
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    return await peer.link(leave.signal)
  } finally {
    forget()
    signal.removeEventListener('abort', stop)
  }
}

/** What was set aside goes along, and the end of our caller's patience: nobody waits for work after that. */
async function budgeted(
  { budget, runId }: CallContext,
  engine: DelegateOptions['engine'],
): Promise<Pick<OutMessage, 'metadata' | 'extensions'>> {
  const deadline = (await engine?.().state(runId))?.submission.deadline
  const metadata = budgetMetadata({ ...budget, ...(deadline === undefined ? {} : { deadline }) })
  return { metadata, extensions: [BUDGET_EXTENSION] }
}

const inputSchema = (peers: readonly string[], mayLeave: boolean): JsonObject => ({
  type: 'object',
  properties: {
    peer: { enum: [...peers], description: 'Which peer.' },
    brief: {
      type: 'string',
      minLength: 1,
      description: 'What it shall do or find out, with everything that it has to know.',
    },
    parts: {
      type: 'array',
      maxItems: 50,
      description: 'What goes along with the brief.',
      items: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          data: { description: 'Any JSON.' },
          artifact: { type: 'string', description: 'The id of an artifact of this run.' },
          url: { type: 'string', description: 'A link that the peer may follow.' },
        },
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: false,
      },
    },
    ...(mayLeave
      ? {
          wait: {
            type: 'boolean',
            description:
              'false: go on meanwhile, and join the task with check_delegation. Absent: wait for the result.',
          },
        }
      : {}),
  },
  required: ['peer', 'brief'],
  additionalProperties: false,
})
