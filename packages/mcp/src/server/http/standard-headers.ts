import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '@tenon/kernel'
import type { JsonRpcFault } from '../../upstream/json-rpc.js'
import { RPC } from '../rpc-reply.js'

/** Which parameter `Mcp-Name` repeats (SEP-2243; SEP-2663 for tasks). */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** The headers of a modern request must say what the body says; intermediaries route by them (SEP-2243). */
export function headerFault(
  headers: IncomingHttpHeaders,
  method: string,
  params: JsonObject,
  version: string,
): JsonRpcFault | undefined {
  const field = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined
  const name = field === undefined ? undefined : params[field]
  return (
    differs('mcp-protocol-version', headers, version) ??
    differs('mcp-method', headers, method) ??
    (typeof name === 'string' ? differs('mcp-name', headers, name) : undefined)
  )
}

function differs(header: string, headers: IncomingHttpHeaders, said: string): JsonRpcFault | undefined {
  const value = headers[header]
  if (typeof value !== 'string') return mismatch(header, said, 'is missing')
  const told = decodeHeaderText(value.trim())
  if (told === undefined) return mismatch(header, said, 'is not valid Base64')
  return told === said ? undefined : mismatch(header, said, 'says something else')
}

const mismatch = (header: string, said: string, problem: string): JsonRpcFault => ({
  code: RPC.headerMismatch,
  message: `The header ${header} ${problem}; the body says ${JSON.stringify(said.slice(0, 200))}.`,
  data: { mismatch: { header, body: said.slice(0, 200) } },
})

/** Plain text, or `=?base64?…?=` around text that a header cannot carry. Undefined when that is broken. */
export function decodeHeaderText(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (encoded === undefined) return value
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('base64') !== encoded) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
