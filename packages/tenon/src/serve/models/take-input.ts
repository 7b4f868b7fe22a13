import { memoryBlock, principalOf } from '@tenon/a2a'
import {
  type ContentBlock,
  plainText,
  type RequestId,
  RunId,
  type RunState,
  sortableId,
  userMessage,
} from '@tenon/kernel'
import { HostError } from '../../errors.js'
import type { Host } from '../../host/host.js'
import type { Caller } from '../gate.js'
import { requireRoom } from '../require-room.js'
import { inboxId } from '../run-api/request-id.js'
import { answerOfText } from './answer-of-text.js'
import { earlierExchanges, type KeptForClient } from './earlier-exchanges.js'
import { ownRun } from './own-run.js'
import type { Approval, UserInput } from './user-input.js'

/** The part of a run that answers one request: what comes after `after`. */
export type Segment = {
  readonly runId: RunId
  readonly after: number
  /** Questions whose answers are on their way; the run does not rest before they have arrived. */
  readonly answered: ReadonlySet<RequestId>
}

export type Taking = {
  readonly caller: Caller
  readonly agent: string
  readonly input: UserInput
  /** The run that the request goes on with. */
  readonly previous: RunId | undefined
  /** Whether the client has what the run asks before it: a yes must not count for a question that came up since. */
  readonly hasSeen: (run: RunState) => boolean
  readonly notes: Readonly<Record<string, string>>
}

/**
 * Takes the user's words in: as the goal of a new run, which knows what `previous` came to; as the answer to what
 * `previous` waits on; or as a word to it while it works.
 * @throws HostError `request-invalid`, `response-unknown`, `forbidden`, `too-many-runs`
 */
export async function takeInput(host: Host, taking: Taking): Promise<Segment> {
  const { previous, caller, input } = taking
  if (input.blocks.length === 0 && input.approvals.length === 0)
    throw new HostError('request-invalid', 'The request says nothing new: its last message must be of the user.')
  if (previous === undefined) return begin(host, taking)
  ownRun(host, caller, previous)
  const run = await host.engine.state(previous)
  if (run.ended !== undefined) return begin(host, taking)
  return run.inputs.size > 0 ? answer(host, taking, previous, run) : tell(host, taking, previous, run)
}

async function begin(host: Host, { caller, agent, input, previous, notes }: Taking): Promise<Segment> {
  if (input.blocks.length === 0) throw new HostError('request-invalid', 'There is no question open to answer.')
  requireRoom(host, principalOf(caller))
  const memory: readonly ContentBlock[] = previous === undefined ? [] : [memoryBlock(earlierExchanges(host, previous))]
  const before = previous === undefined ? undefined : host.store.runs.get(previous)
  const openai: KeptForClient = {
    ...(previous === undefined ? {} : { previous }),
    ...(Object.keys(notes).length === 0 ? {} : { notes }),
  }
  const runId = await host.engine.submit({
    runId: RunId(`run_${sortableId()}`),
    agent,
    goal: userMessage([...input.blocks, ...memory]),
    principal: principalOf(caller),
    metadata: { ...host.metadataOf(plainText(input.blocks)), openai },
    ...(before === undefined ? {} : { contextId: before.contextId }),
  })
  return { runId, after: 0, answered: new Set() }
}

async function answer(host: Host, { caller, input, hasSeen }: Taking, runId: RunId, run: RunState): Promise<Segment> {
  if (!caller.scopes.has('inbox:answer'))
    throw new HostError('forbidden', 'The run waits for an answer, and this key has not the scope inbox:answer.')
  const answered = new Set<RequestId>()
  const by = principalOf(caller)
  for (const { approve, reason, requestId } of approvalsFor(runId, run, input.approvals)) {
    const said = approve ? { kind: 'approve' } : { kind: 'deny', ...(reason === undefined ? {} : { reason }) }
    await host.engine.answer(runId, requestId, said, by)
    answered.add(requestId)
  }
  const words = plainText(input.blocks)
  const open = [...run.inputs.values()].find(({ requestId }) => !answered.has(requestId))
  const mayAnswer = open !== undefined && words !== '' && (open.kind !== 'approval' || hasSeen(run))
  const said = mayAnswer ? answerOfText(open, words) : undefined
  if (open !== undefined && said !== undefined) {
    await host.engine.answer(runId, open.requestId, said, by)
    answered.add(open.requestId)
  }
  return { runId, after: run.seq, answered }
}

/** @throws HostError `request-invalid` for an id that is none of an open question of this run */
function approvalsFor(
  runId: RunId,
  run: RunState,
  approvals: readonly Approval[],
): readonly (Approval & { readonly requestId: RequestId })[] {
  const open = new Map([...run.inputs.keys()].map((requestId) => [inboxId(runId, requestId), requestId]))
  return approvals.map((approval) => {
    const requestId = open.get(approval.id)
    if (requestId !== undefined) return { ...approval, requestId }
    throw new HostError('request-invalid', `The question ${approval.id} is not open: it was answered, or never asked.`)
  })
}

async function tell(host: Host, { caller, input }: Taking, runId: RunId, run: RunState): Promise<Segment> {
  if (input.blocks.length === 0) throw new HostError('request-invalid', 'There is no question open to answer.')
  await host.engine.tell(runId, userMessage(input.blocks), principalOf(caller))
  return { runId, after: run.seq, answered: new Set() }
}
