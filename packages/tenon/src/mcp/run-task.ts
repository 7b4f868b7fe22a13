import { type InputRequest, isJsonObject, type JsonObject, plainText, type RunId, type RunState } from '@tenon/kernel'
import type { ServedTask } from '@tenon/mcp'
import { resultText } from '../host/result-text.js'
import { formOf } from './input-form.js'

/** How often a client should ask. Milliseconds. */
const POLL_MS = 500

type Ended = NonNullable<RunState['ended']>

/** Why a run did not complete, in words that its client may have. */
export type WhyNot = (ended: Ended) => string | undefined

/** What a run came to, as the result of a tool. */
export function toolResultOf({ ended }: RunState, whyNot: WhyNot): JsonObject {
  if (ended === undefined) return { content: [] }
  const text = resultText(ended)
  const said = whyNot(ended)
  if (ended.state !== 'completed')
    return { content: [textBlock([text, said].filter((part) => part).join('\n') || ended.state)], isError: true }
  const structured = isJsonObject(ended.output) ? { structuredContent: ended.output } : {}
  return { content: blocksOf(ended.blocks, text), ...structured }
}

/** What was said and shown, in order; media as far as they are at hand. */
function blocksOf(blocks: Ended['blocks'], text: string): readonly JsonObject[] {
  const shown = blocks.flatMap((block): readonly JsonObject[] => {
    if (block.kind === 'text') return [textBlock(block.text)]
    if ((block.kind === 'image' || block.kind === 'audio') && block.source.kind === 'data')
      return [{ type: block.kind, data: block.source.base64, mimeType: block.mediaType }]
    return [textBlock(plainText([block]))]
  })
  return shown.length > 0 ? shown : [textBlock(text)]
}

const textBlock = (text: string): JsonObject => ({ type: 'text', text })

/** A run as a task: its id is the run's, so it is found again by any process over the same store. */
export function taskOfRun(runId: RunId, run: RunState, createdAt: number, whyNot: WhyNot): ServedTask {
  const base = {
    taskId: runId,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(run.at).toISOString(),
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  }
  if (run.ended !== undefined) {
    if (run.ended.state === 'canceled') return { ...base, status: 'cancelled' }
    // A run that failed is a tool that failed; only what kept it from running would be a failed task.
    return { ...base, status: 'completed', result: toolResultOf(run, whyNot) }
  }
  if (run.inputs.size === 0) return { ...base, status: 'working' }
  return { ...base, status: 'input_required', inputRequests: questionsOf([...run.inputs.values()]) }
}

const questionsOf = (requests: readonly InputRequest[]): JsonObject =>
  Object.fromEntries(
    requests.map((request) => [request.requestId, { method: 'elicitation/create', params: formOf(request) }]),
  )
