import type { InputRequest, JsonObject, RunId, RunState } from '@tenon/kernel'
import { inboxId } from '../run-api/request-id.js'

/** Ids stay the same live, in a replay and after a restart: an item is known by its place in its response. */
export const messageItem = (id: string, text: string, status: 'completed' | 'in_progress'): JsonObject => ({
  type: 'message',
  id,
  status,
  role: 'assistant',
  content: status === 'completed' ? [textPart(text)] : [],
})

export const textPart = (text: string): JsonObject => ({ type: 'output_text', text, annotations: [], logprobs: [] })

/** A call that waits for consent, as clients of the OpenAI API are asked for it; answered by an `mcp_approval_response`. */
export function approvalItem(runId: RunId, run: RunState, request: InputRequest): JsonObject {
  const call = run.calls.get(request.callId)
  return {
    type: 'mcp_approval_request',
    id: inboxId(runId, request.requestId),
    server_label: call?.proposal.origin?.name ?? run.submission.agent,
    name: call?.proposal.tool ?? request.key,
    arguments: JSON.stringify(call?.args ?? {}),
  }
}

export const itemId = (response: string, index: number): string => `msg_${response.slice('resp_'.length)}_${index}`
