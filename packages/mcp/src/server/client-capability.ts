import { isJsonObject, type JsonObject } from '@tenon/kernel'
import { rpcError } from '../errors.js'
import { RPC } from './rpc-reply.js'

/** What a client must have declared to be asked this; undefined for what nobody declares. */
function neededCapability(method: string, params: JsonObject): JsonObject | undefined {
  switch (method) {
    case 'elicitation/create':
      return params.mode === 'url' ? { elicitation: { url: {} } } : { elicitation: {} }
    case 'sampling/createMessage':
      return params.tools === undefined ? { sampling: {} } : { sampling: { tools: {} } }
    case 'roots/list':
      return { roots: {} }
    default:
      return undefined
  }
}

/** @throws McpError `mcp-rpc-error` -32021 when the client has not declared what the question needs */
export function requireCapability(method: string, params: JsonObject, declared: JsonObject): void {
  const needed = neededCapability(method, params)
  if (needed === undefined) throw rpcError(RPC.methodNotFound, `A client cannot be asked ${method}.`, { method })
  if (covers(declared, needed)) return
  throw rpcError(RPC.missingCapability, `This needs a client that declares ${Object.keys(needed).join(', ')}.`, {
    requiredCapabilities: needed,
  })
}

function covers(declared: JsonObject, needed: JsonObject): boolean {
  return Object.entries(needed).every(([name, inner]) => {
    const has = declared[name]
    return isJsonObject(has) && isJsonObject(inner) && covers(has, inner)
  })
}
