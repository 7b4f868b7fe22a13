import { isJsonObject, type JsonObject } from '@tenon/kernel'
import { McpError } from '../errors.js'
import { addressesFirst } from '../hand/addresses-first.js'
import type { RequestOptions, ServerRequestHandler, Upstream } from '../upstream/upstream.js'

const MAX_ROUNDS = 10

/**
 * A request of a person who is there to answer: what a legacy server pushes and what a modern one ends a round for are
 * the same question to `answer`. Resolves with the last result; a task is not followed.
 *
 * @throws McpError `mcp-too-many-rounds`
 */
export async function requestInRounds(
  upstream: Upstream,
  method: string,
  params: JsonObject,
  answer: ServerRequestHandler,
  options: RequestOptions = {},
): Promise<JsonObject> {
  const asking = { ...options, onServerRequest: answer }
  const signal = options.signal ?? new AbortController().signal
  const answered = async (questions: JsonObject): Promise<Readonly<Record<string, JsonObject>>> => {
    const answers: Record<string, JsonObject> = {}
    for (const [key, question] of Object.entries(questions))
      if (isJsonObject(question) && typeof question.method === 'string')
        answers[key] = await answer({
          method: question.method,
          params: isJsonObject(question.params) ? question.params : {},
          signal,
        })
    return answers
  }
  let result: JsonObject
  try {
    result = await upstream.request(method, params, asking)
  } catch (error) {
    const addresses = addressesFirst(error)
    if (addresses === undefined) throw error
    const opened = Object.values(await answered(addresses)).every(({ action }) => action === 'accept')
    if (!opened) throw error
    result = await upstream.request(method, params, asking)
  }
  for (let round = 0; result.resultType === 'input_required'; round++) {
    if (round >= MAX_ROUNDS)
      throw new McpError('mcp-too-many-rounds', `${upstream.name} asked ${MAX_ROUNDS} times and was not done.`)
    const inputResponses = await answered(isJsonObject(result.inputRequests) ? result.inputRequests : {})
    const { requestState } = result
    result = await upstream.request(
      method,
      { ...params, inputResponses, ...(typeof requestState === 'string' ? { requestState } : {}) },
      asking,
    )
  }
  return result
}
