import { createHash } from 'node:crypto'
import { principalOf } from '@tenon/a2a'
import {
  answerItem,
  canonicalJson,
  isJsonObject,
  isTenonError,
  type Json,
  KernelError,
  type RequestId,
  type RunEventOf,
  type RunId,
  sortableId,
} from '@tenon/kernel'
import type { RunSummary } from '@tenon/store'
import { HostError } from '../../errors.js'
import type { Host } from '../../host/host.js'
import type { Caller } from '../gate.js'
import { checkAnswer } from './check-answer.js'
import { PARAMS } from './params.js'
import { readInboxId } from './request-id.js'
import { type Reply, route } from './route.js'
import { belongsHere, runOfCaller } from './runs-of-caller.js'

/** How long to wait until whoever drives the run has taken the answer. */
const TAKEN_MS = 10_000
/** The same where nobody may be driving it. */
const ELSEWHERE_MS = 1_000

type Params = { readonly id: string; readonly 'idempotency-key'?: string }
type Question = { readonly run: RunSummary; readonly requestId: RequestId; readonly id: string }

export const answerRequest = route<Params, { readonly answer: Json }>({
  name: 'answerRequest',
  method: 'POST',
  path: '/inbox/{id}',
  about: 'Answers a question. Of several answers the first one counts; the others are told which one that was.',
  scope: 'inbox:answer',
  params: {
    id: { in: 'path', schema: { type: 'string', minLength: 1, maxLength: 300 }, about: 'The id of a request.' },
    'idempotency-key': PARAMS.key,
  },
  body: 'Answer',
  answers: {
    200: { about: 'This answer was taken.', schema: 'Answered' },
    202: { about: 'Nobody drives the run just now; the answer waits for whoever does.', schema: 'AnswerLeft' },
    409: { about: 'Another answer was first.', schema: 'AlreadyAnswered' },
  },
  async answer({ ports: { host }, caller, params, body: { answer }, signal }) {
    const question = questionOf(host, caller, params.id)
    const mark = markOf(params['idempotency-key'], answer)
    return (await taken(host, question, mark)) ?? (await give(host, caller, question, answer, mark, signal))
  },
})

/** @throws KernelError `request-unknown`, for a question of somebody else as for none */
function questionOf(host: Host, caller: Caller, id: string): Question {
  const named = readInboxId(id)
  try {
    if (named !== undefined) return { run: runOfCaller(host, caller, named.runId), requestId: named.requestId, id }
  } catch (error) {
    if (!isTenonError(error) || error.code !== 'run-unknown') throw error
  }
  throw new KernelError('request-unknown', `There is no request ${id}. GET /inbox lists what is open.`)
}

/** Stands in the journal beside the answer: a repeated request knows its own answer by it. */
const markOf = (key: string | undefined, answer: Json): string =>
  key === undefined
    ? sortableId()
    : createHash('sha256')
        .update(`${key}\n${canonicalJson(answer)}`)
        .digest('base64url')

async function give(
  host: Host,
  caller: Caller,
  question: Question,
  answer: Json,
  mark: string,
  signal: AbortSignal,
): Promise<Reply> {
  const { run, requestId } = question
  const { seq, inputs } = await host.engine.state(run.runId)
  const request = inputs.get(requestId)
  if (request !== undefined) {
    await checkAnswer(request, answer)
    const isHere = belongsHere(host, run)
    const by = principalOf(caller)
    const metadata = { runApi: { mark } }
    try {
      if (isHere) await host.engine.answer(run.runId, requestId, answer, by, metadata)
      else host.store.inbox.put(run.runId, answerItem(requestId, answer, by, metadata))
    } catch (error) {
      // Somebody was faster: the journal tells who.
      if (!isTenonError(error) || error.code !== 'request-unknown') throw error
    }
    await untilTaken(host, run.runId, requestId, seq, signal, isHere ? TAKEN_MS : ELSEWHERE_MS)
  }
  const reply = await taken(host, question, mark)
  if (reply !== undefined) return reply
  if (request === undefined)
    throw new KernelError('request-unknown', `There is no request ${question.id}. GET /inbox lists what is open.`)
  return { status: 202, body: { id: question.id, next: `tenon runs resume ${run.runId}` } }
}

async function untilTaken(
  { engine }: Host,
  runId: RunId,
  requestId: RequestId,
  after: number,
  signal: AbortSignal,
  ms: number,
): Promise<void> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(ms)])
  for await (const item of engine.follow(runId, { after, signal: stop }))
    if (item.kind === 'event' && item.event.kind === 'input-answered' && item.event.requestId === requestId) return
}

/** What the journal says of the question; undefined while it is open. */
async function taken({ store }: Host, { run, requestId, id }: Question, mark: string): Promise<Reply | undefined> {
  const event = store.journal
    .load(run.runId)
    .find((one): one is RunEventOf<'input-answered'> => one.kind === 'input-answered' && one.requestId === requestId)
  if (event === undefined) return undefined
  const { answer, by, at, seq, how, metadata } = event
  const first = { answer, at, seq, ...(by === undefined ? {} : { by }), ...(how === undefined ? {} : { how }) }
  const note = metadata?.runApi
  if (isJsonObject(note) && note.mark === mark) return { status: 200, body: { id, first } }
  throw new HostError('request-answered', `${WHY[how ?? 'answered']} Nothing was changed by this one.`, {
    detail: { first },
  })
}

const WHY = {
  answered: 'This question was answered already.',
  withdrawn: 'This question was answered elsewhere, or is not asked any more.',
  expired: 'The time for an answer was over.',
} as const
