import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { isMcpError, McpError, rpcDetail } from '../../errors.js'
import type { McpService, ServedCall } from '../service.js'

/**
 * Makes one answer of a service's rounds: what `input_required` asks for is asked of the client while its request is
 * open, and the service is called again with the answers.
 */
export async function answerInRounds(service: McpService, call: ServedCall, maxRounds: number): Promise<JsonObject> {
  let result = await service.request(call)
  for (let round = 0; result.resultType === 'input_required'; round++) {
    if (round >= maxRounds)
      throw new McpError('mcp-too-many-rounds', `The server asked for input ${maxRounds} times and was not done.`)
    const requests = isJsonObject(result.inputRequests) ? Object.entries(result.inputRequests) : []
    const answers = await Promise.all(
      requests.map(async ([key, question]) => [key, await answer(call, question)] as const),
    )
    const { requestState } = result
    result = await service.request({
      ...call,
      inputResponses: Object.fromEntries(answers),
      ...(typeof requestState === 'string' ? { requestState } : {}),
    })
  }
  return result
}

async function answer(call: ServedCall, question: Json): Promise<JsonObject> {
  if (!isJsonObject(question) || typeof question.method !== 'string')
    throw new McpError('mcp-protocol-error', 'The server asked for something that is no request.')
  const params = isJsonObject(question.params) ? question.params : {}
  try {
    return await call.ask(question.method, params)
  } catch (error) {
    // A client that fails to show a form has not agreed; everything else ends the call.
    const failed = rpcDetail(error)?.code
    if (question.method === 'elicitation/create' && failed !== undefined && failed !== -32021)
      return { action: 'cancel' }
    if (isMcpError(error)) throw error
    throw error
  }
}
