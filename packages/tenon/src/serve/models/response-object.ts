import type { JsonObject, RunId } from '@tenon/kernel'
import { askedText } from './asked-text.js'
import { keptForClient } from './earlier-exchanges.js'
import { responseId } from './response-id.js'
import { approvalItem, itemId, messageItem } from './response-items.js'
import { BETWEEN, spokenTexts } from './run-speech.js'
import { type UsedTokens, usageOf } from './run-usage.js'
import type { SegmentRecord } from './segment-record.js'
import { toldOfRun } from './told-of-run.js'

export type ResponseHead = {
  readonly runId: RunId
  readonly after: number
  readonly model: string
  /** The id that the client said it goes on with. */
  readonly previous: string | undefined
  readonly background: boolean
  /** What a typed result is made of on the way is no part of it. */
  readonly resultOnly: boolean
}

/** A response as far as the journal holds it. */
export function responseObject(head: ResponseHead, { events, run, isPast }: SegmentRecord): JsonObject {
  const { runId, after, model, previous, background, resultOnly } = head
  const id = responseId(runId, after)
  const rests = isPast || (run.inputs.size > 0 && run.idle)
  const texts = [...spokenTexts(events, run, resultOnly)]
  const asked = rests && run.ended === undefined ? [...run.inputs.values()] : []
  const [first] = asked
  if (first !== undefined) texts.push((texts.length > 0 ? BETWEEN : '') + askedText(run, first))
  const status = statusOfResponse(run.ended?.state, rests, run.turnCount)
  return {
    id,
    object: 'response',
    created_at: Math.floor((events[0]?.at ?? run.at) / 1000),
    status,
    background,
    error: status === 'failed' ? { code: 'server_error', message: toldOfRun(runId, run).message } : null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model,
    output: [
      ...texts.map((text, index) => messageItem(itemId(id, index), text, 'completed')),
      ...asked.filter(({ kind }) => kind === 'approval').map((request) => approvalItem(runId, run, request)),
    ],
    parallel_tool_calls: true,
    previous_response_id: previous ?? null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    truncation: 'disabled',
    usage: status === 'in_progress' || status === 'queued' ? null : responseUsage(usageOf(events)),
    metadata: { ...keptForClient(run.submission).notes, run: runId, state: run.state },
  }
}

type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'failed' | 'cancelled'

function statusOfResponse(ended: string | undefined, rests: boolean, turns: number): ResponseStatus {
  if (ended === 'completed') return 'completed'
  if (ended === 'canceled') return 'cancelled'
  if (ended !== undefined) return 'failed'
  // A run that asks has said what it has to say for now: it is the client's turn.
  if (rests) return 'completed'
  return turns === 0 ? 'queued' : 'in_progress'
}

const responseUsage = ({ input, cached, output, reasoning }: UsedTokens): JsonObject => ({
  input_tokens: input + cached,
  input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + cached + output,
})
