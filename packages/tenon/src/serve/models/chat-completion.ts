import { isJsonObject, type Json, type JsonObject, RunId, type RunState } from '@tenon/kernel'
import type { UsedTokens } from './run-usage.js'

/** Of a run, what a client may want beside the answer. */
export const runNotes = (runId: RunId, run: RunState): JsonObject => ({ run: runId, state: run.state })

export type CompletionHead = { readonly runId: RunId; readonly model: string; readonly created: number }

const headOf = ({ runId, model, created }: CompletionHead, object: string): JsonObject => ({
  id: `chatcmpl-${runId}`,
  object,
  created,
  model,
})

const chatUsage = ({ input, cached, output, reasoning }: UsedTokens): JsonObject => ({
  prompt_tokens: input + cached,
  completion_tokens: output,
  total_tokens: input + cached + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
})

export const chatCompletion = (
  head: CompletionHead,
  content: string,
  usage: UsedTokens,
  metadata: JsonObject,
): JsonObject => ({
  ...headOf(head, 'chat.completion'),
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content, refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: chatUsage(usage),
  metadata,
})

export const chatChunk = (
  head: CompletionHead,
  delta: JsonObject,
  finish: 'stop' | null,
  more: JsonObject = {},
): JsonObject => ({
  ...headOf(head, 'chat.completion.chunk'),
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  ...more,
})

/** The last chunk, where the client wants to know what was used. */
export const usageChunk = (head: CompletionHead, usage: UsedTokens): JsonObject => ({
  ...headOf(head, 'chat.completion.chunk'),
  choices: [],
  usage: chatUsage(usage),
})

/** The client's own notes, texts by name; the run that a request names among them. */
export function readNotes(metadata: Json | undefined): {
  readonly run: RunId | undefined
  readonly notes: Readonly<Record<string, string>>
} {
  const entries = isJsonObject(metadata) ? Object.entries(metadata) : []
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const { run, state: _, ...notes } = Object.fromEntries(texts)
  return { run: run === undefined ? undefined : RunId(run), notes }
}
