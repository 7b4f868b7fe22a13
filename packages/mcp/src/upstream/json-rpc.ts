import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'

/** JSON-RPC 2.0 as MCP uses it: ids are text or whole numbers, params are objects. */
export type JsonRpcId = string | number

export type JsonRpcRequest = {
  readonly jsonrpc: '2.0'
  readonly id: JsonRpcId
  readonly method: string
  readonly params?: JsonObject
}
type JsonRpcNotification = { readonly jsonrpc: '2.0'; readonly method: string; readonly params?: JsonObject }
export type JsonRpcFault = { readonly code: number; readonly message: string; readonly data?: Json }
type JsonRpcResponse = { readonly jsonrpc: '2.0'; readonly id: JsonRpcId } & (
  | { readonly result: JsonObject }
  | { readonly error: JsonRpcFault }
)
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse

/** What a value from the wire is. A response may lack a usable id: then it belongs to nobody by itself. */
export type Received =
  | { readonly kind: 'request'; readonly id: JsonRpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'result'; readonly id: JsonRpcId | null; readonly result: Json }
  | { readonly kind: 'error'; readonly id: JsonRpcId | null; readonly error: JsonRpcFault }
  | { readonly kind: 'bad'; readonly reason: string; readonly id: JsonRpcId | null }

export function readMessage(value: Json): Received {
  if (!isJsonObject(value)) return bad('not an object', null)
  const { method, params } = value
  const id = usableId(value.id)
  if (value.jsonrpc !== '2.0') return bad('jsonrpc is not "2.0"', id)
  if (method !== undefined) {
    if (typeof method !== 'string') return bad('method is no text', id)
    if (params !== undefined && !isJsonObject(params)) return bad('params is no object', id)
    if (id !== null) return { kind: 'request', id, method, params: params ?? {} }
    return { kind: 'notification', method, params: params ?? {} }
  }
  if (value.error !== undefined) return { kind: 'error', id, error: faultOf(value.error) }
  if (value.result !== undefined) return { kind: 'result', id, result: value.result }
  return bad('neither method nor result nor error', id)
}

const bad = (reason: string, id: JsonRpcId | null): Received => ({ kind: 'bad', reason, id })

function usableId(id: Json | undefined): JsonRpcId | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function faultOf(value: Json): JsonRpcFault {
  if (!isJsonObject(value)) return { code: -32603, message: typeof value === 'string' ? value : 'unnamed error' }
  const { code, message, data } = value
  return {
    code: typeof code === 'number' ? code : -32603,
    message: typeof message === 'string' ? message : 'unnamed error',
    ...(data === undefined ? {} : { data }),
  }
}

const ID = String.raw`(-?\d+|"(?:[^"\\]|\\.)*")`
const AT_HEAD = new RegExp(String.raw`^\s*\{[^{}\[\]]*?"id"\s*:\s*${ID}`, 'u')
const AT_TAIL = new RegExp(String.raw`[}\]"\d]\s*,\s*"id"\s*:\s*${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`, 'u')

/** The id of a message that is too large to be read, from its first and last bytes. */
export function sniffId(head: string, tail: string): JsonRpcId | undefined {
  const found = AT_HEAD.exec(head)?.[1] ?? AT_TAIL.exec(tail)?.[1]
  return found === undefined ? undefined : (JSON.parse(found) as JsonRpcId)
}
