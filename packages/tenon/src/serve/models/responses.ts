import type { JsonObject, RunId } from '@tenon/kernel'
import { HostError } from '../../errors.js'
import { SseWriter } from '../run-api/sse-writer.js'
import { agentOfModel, modelOfAgent } from './agent-model.js'
import { askedText } from './asked-text.js'
import { readNotes } from './chat-completion.js'
import { Ear } from './ear.js'
import { keptForClient } from './earlier-exchanges.js'
import { answerRunError, atRest, type Exchange, RUN_HEADER, refuseImpossible, stopsNow } from './exchange.js'
import { ownRun, unknownResponse } from './own-run.js'
import { type Frame, ResponseFrames } from './response-frames.js'
import { readResponseId, responseId } from './response-id.js'
import { approvalItem } from './response-items.js'
import { type ResponseHead, responseObject } from './response-object.js'
import { BETWEEN, pastSpeech, runSpeech, type Speech, spokenTexts } from './run-speech.js'
import { type SegmentRecord, segmentRecord } from './segment-record.js'
import { type Segment, takeInput } from './take-input.js'
import { readUserInput } from './user-input.js'

/** `POST /v1/responses` */
export async function createResponse(exchange: Exchange): Promise<void> {
  const { host, again, retryCount, caller, body, response, stopping } = exchange
  refuseImpossible(body)
  if (body.conversation !== undefined && body.conversation !== null)
    throw new HostError('request-invalid', 'There are no conversations here: go on with previous_response_id.')
  const agent = agentOfModel(host, body.model)
  const previous = typeof body.previous_response_id === 'string' ? body.previous_response_id : undefined
  const place = previous === undefined ? undefined : placeOf(previous)
  const { notes } = readNotes(body.metadata)
  const ear = body.stream === true ? new Ear(host.engine) : undefined
  try {
    const begin = () =>
      takeInput(host, {
        caller,
        agent,
        input: readUserInput(body.input),
        previous: place?.runId,
        hasSeen: () => place !== undefined && !recordOf(exchange, place).isPast,
        notes,
      })
    const segment = again.find(caller, body, retryCount) ?? (await begin())
    again.note(caller, body, segment)
    const { runId } = segment
    response.setHeader(RUN_HEADER, runId)
    const head = headOf(exchange, segment, { previous, background: body.background === true })
    if (ear !== undefined) return await stream(exchange, segment, head, { ear })
    if (!head.background && (await atRest(host, segment, stopping)) === undefined)
      return answerRunError(response, stopsNow(runId), 503)
    reply(exchange, head)
  } finally {
    ear?.close()
  }
}

/** `GET /v1/responses/{id}`, also as a stream that goes on after a frame that the client has. */
export async function showResponse(exchange: Exchange, id: string, query: URLSearchParams): Promise<void> {
  const segment = knownSegment(exchange, id)
  const head = headOf(exchange, segment, {})
  if (query.get('stream') !== 'true') return reply(exchange, head)
  const after = query.get('starting_after')
  if (after !== null && !/^\d{1,15}$/.test(after))
    throw new HostError('request-invalid', 'starting_after is the sequence_number of a frame.')
  await stream(exchange, segment, head, after === null ? {} : { startingAfter: Number(after) })
}

/** `POST /v1/responses/{id}/cancel` */
export async function cancelResponse(exchange: Exchange, id: string): Promise<void> {
  const { host, stopping, response } = exchange
  const segment = knownSegment(exchange, id)
  await host.engine.cancel(segment.runId, 'The client canceled the response.')
  if ((await atRest(host, segment, stopping)) === undefined)
    return answerRunError(response, stopsNow(segment.runId), 503)
  reply(exchange, headOf(exchange, segment, {}))
}

function placeOf(id: string): { readonly runId: RunId; readonly after: number } {
  const place = readResponseId(id)
  if (place === undefined) throw unknownResponse()
  return place
}

/** @throws HostError `response-unknown` */
function knownSegment({ host, caller }: Exchange, id: string): Segment {
  const { runId, after } = placeOf(id)
  ownRun(host, caller, runId)
  if (after > 0 && host.store.journal.load(runId, after, 1).length === 0) throw unknownResponse()
  return { runId, after, answered: new Set() }
}

function headOf(
  { host }: Exchange,
  { runId, after }: Segment,
  told: { readonly previous?: string | undefined; readonly background?: boolean },
): ResponseHead {
  const [first] = host.store.journal.load(runId, 0, 1)
  if (first?.kind !== 'run-submitted') throw unknownResponse()
  const before = keptForClient(first).previous
  return {
    runId,
    after,
    model: modelOfAgent(first.agent),
    previous: told.previous ?? (after > 0 ? responseId(runId, 0) : before && responseId(before, 0)),
    background: told.background ?? false,
    resultOnly: host.agentNamed(first.agent).output !== undefined,
  }
}

const recordOf = ({ host }: Exchange, { runId, after }: Pick<Segment, 'runId' | 'after'>): SegmentRecord =>
  segmentRecord(host.store.journal.load(runId), after)

function reply(exchange: Exchange, head: ResponseHead): void {
  exchange.response.writeHead(200, { 'content-type': 'application/json' })
  exchange.response.end(JSON.stringify(responseObject(head, recordOf(exchange, head))))
}

async function stream(
  exchange: Exchange,
  segment: Segment,
  head: ResponseHead,
  { startingAfter, ear }: { readonly startingAfter?: number; readonly ear?: Ear },
): Promise<void> {
  const { host, response, signal, stopping } = exchange
  const { runId, after } = segment
  const { resultOnly } = head
  const frames = new ResponseFrames(responseId(runId, after), startingAfter)
  const events = new SseWriter(response, { saysRetry: false })
  const send = async (made: readonly Frame[]): Promise<void> => {
    for (const frame of made) await events.send(frame.type, frame)
  }
  try {
    const record = recordOf(exchange, segment)
    const begun = { ...responseObject(head, record), status: 'in_progress', output: [], usage: null }
    await send(frames.begin(after, begun))
    const speech = record.isPast
      ? pastSpeech(record, resultOnly)
      : runSpeech(host.engine, segment, { signal, resultOnly, ...(ear === undefined ? {} : { ear }) })
    for await (const said of speech)
      if (said.kind === 'asked' || said.kind === 'ended') await send(frames.end(said.seq, ...endOf(said)))
      else await send(frames.text(said))
    if (!stopping.aborted) return
    const { code, message } = stopsNow(runId)
    await events.send('error', { type: 'error', code, message, param: null })
  } finally {
    events.close()
  }

  /** The question that is asked first, calls that wait for consent, and the response as it stands then. */
  function endOf(said: Extract<Speech, { kind: 'asked' | 'ended' }>): [string[], JsonObject[], JsonObject] {
    const record = recordOf(exchange, segment)
    const asked = said.kind === 'asked' ? said.requests : []
    const before = spokenTexts(record.events, record.run, resultOnly).length > 0 ? BETWEEN : ''
    const questions = asked.slice(0, 1).map((request) => before + askedText(record.run, request))
    const items = asked.flatMap((one) => (one.kind === 'approval' ? [approvalItem(runId, record.run, one)] : []))
    return [questions, items, responseObject(head, record)]
  }
}
