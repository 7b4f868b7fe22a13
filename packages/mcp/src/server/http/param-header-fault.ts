import type { IncomingHttpHeaders } from 'node:http'
import { isJsonObject, type JsonObject } from '@tenon/kernel'
import { headersOfArguments, paramHeaders } from '../../era/modern/param-headers.js'
import type { JsonRpcFault } from '../../upstream/json-rpc.js'
import { RPC } from '../rpc-reply.js'
import { decodeHeaderText } from './standard-headers.js'

/** Arguments that a tool has repeated in `Mcp-Param-…` headers must stand there as they stand in the body (SEP-2243). */
export function paramHeaderFault(
  headers: IncomingHttpHeaders,
  schema: JsonObject,
  params: JsonObject,
): JsonRpcFault | undefined {
  const marks = paramHeaders(schema)
  if (!marks.ok || marks.headers.length === 0) return undefined
  const wanted = headersOfArguments(marks.headers, isJsonObject(params.arguments) ? params.arguments : {})
  for (const [header, value] of Object.entries(wanted)) {
    const got = headers[header]
    const told = typeof got === 'string' ? decodeHeaderText(got.trim()) : undefined
    if (told !== undefined && sameText(told, String(decodeHeaderText(value)))) continue
    const body = String(decodeHeaderText(value)).slice(0, 200)
    const message = `The header ${header} must say what the arguments say: ${JSON.stringify(body)}.`
    return { code: RPC.headerMismatch, message, data: { mismatch: { header, body } } }
  }
  return undefined
}

/** Numbers are the same number in any decimal form. */
const sameText = (told: string, said: string): boolean =>
  told === said || (/^-?\d+(\.\d+)?$/.test(told) && /^-?\d+(\.\d+)?$/.test(said) && Number(told) === Number(said))
