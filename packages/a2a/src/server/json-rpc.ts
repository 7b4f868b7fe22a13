import type { Json, JsonObject } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { A2AError } from '../errors.js'

export type RpcRequest = {
  readonly id: Json
  readonly method: string
  readonly params: Json | undefined
  /** It asks for no answer. */
  readonly isNotification: boolean
}

/** @throws A2AError `a2a-invalid-request`; batches are refused as such */
export function readRpc(body: Json): RpcRequest {
  if (!isJsonObject(body)) throw new A2AError('a2a-invalid-request', 'A request must be one JSON-RPC object.')
  const { jsonrpc, id, method, params } = body
  if (jsonrpc !== '2.0' || typeof method !== 'string')
    throw new A2AError('a2a-invalid-request', 'A request needs "jsonrpc": "2.0" and a method.')
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw new A2AError('a2a-invalid-request', 'The id of a request must be a string or a number.')
  if (params !== undefined && (typeof params !== 'object' || params === null))
    throw new A2AError('a2a-invalid-request', 'The params of a request must be an object.')
  return { id: id ?? null, method, params, isNotification: id === undefined }
}

/** The id of what may be no request at all. */
export function idOf(body: Json | undefined): Json {
  const id = isJsonObject(body) ? (body as JsonObject).id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
