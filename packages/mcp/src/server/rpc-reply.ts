import { isTenonError, type JsonObject } from '@tenon/kernel'
import { isMcpError, rpcDetail } from '../errors.js'
import type { JsonRpcFault, JsonRpcId } from '../upstream/json-rpc.js'

export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
  sessionNotFound: -32001,
  /** Header and body disagree (SEP-2243). */
  headerMismatch: -32020,
  /** The client has not declared a capability that the request needs. */
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

/**
 * What a client is told of an error: code and data where they are the protocol's. The words of ours go to it only where a
 * model may have them too, as the client may give them to one; those for whoever runs the server stay here, behind the code.
 */
export function faultForClient(error: unknown): JsonRpcFault {
  const detail = rpcDetail(error)
  if (detail !== undefined) {
    const message = (error as Error).message
    return detail.data === undefined
      ? { code: detail.code, message }
      : { code: detail.code, message, data: detail.data }
  }
  if (isMcpError(error, 'mcp-unknown-tool') || isMcpError(error, 'mcp-invalid-arguments'))
    return { code: RPC.invalidParams, message: error.message }
  if (!isTenonError(error)) return { code: RPC.internal, message: FAILED }
  return {
    code: RPC.internal,
    message: error.traits.modelVisible ? error.message : FAILED,
    data: { reason: error.code },
  }
}

const FAILED = 'The server failed to answer this request.'

export const resultText = (id: JsonRpcId, result: JsonObject): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result)}}`

export const faultText = (id: JsonRpcId | null, fault: JsonRpcFault): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(fault)}}`

export const notificationText = (method: string, params?: JsonObject): string =>
  `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${params === undefined ? '' : `,"params":${JSON.stringify(params)}`}}`

export const requestText = (id: JsonRpcId, method: string, params: JsonObject): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`
