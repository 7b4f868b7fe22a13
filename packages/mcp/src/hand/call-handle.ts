import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'

/** What of a call survives our restart. */
export type CallHandle =
  /** The call became a task at the server. */
  | { readonly task: string; readonly pollMs: number }
  /** The server wants input before it goes on; nothing of the call runs meanwhile. */
  | {
      readonly round: number
      readonly requests: JsonObject
      readonly state: string | null
      readonly responses: JsonObject
      /** The server took nothing of the call yet: it is sent again as it was, without the answers. */
      readonly again?: true
    }
  /** The call is open at the server while a person is asked: only the process that holds it can go on with it. */
  | { readonly open: true }
  /** The answers of a round were sent: from here on the call may run. */
  | { readonly sent: number }

export function readHandle(handle: Json | undefined): CallHandle | undefined {
  if (!isJsonObject(handle)) return undefined
  if (typeof handle.task === 'string')
    return { task: handle.task, pollMs: typeof handle.pollMs === 'number' ? handle.pollMs : 1_000 }
  if (handle.open === true) return { open: true }
  if (typeof handle.sent === 'number') return { sent: handle.sent }
  const { round, requests, state, responses } = handle
  if (typeof round !== 'number' || !isJsonObject(requests) || !isJsonObject(responses)) return undefined
  return {
    round,
    requests,
    state: typeof state === 'string' ? state : null,
    responses,
    ...(handle.again === true ? { again: true } : {}),
  }
}
