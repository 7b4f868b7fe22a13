import { isJsonObject, type JsonObject } from '@tenon/kernel'
import { isMcpError, McpError, rpcDetail } from '../errors.js'

/** What the official SDK says where a tool asks a client of the modern era as those of before were asked. */
const IN_VAIN = /server-to-client requests are not available/i

/** How to get on with a server that offers the modern era and asks as in the older one. */
export const eraHint = (name: string): string =>
  `${name} offers 2026-07-28, but this tool asks as servers of before did. Set "era: legacy" for ${name}.`

/** The same error with what to do about it; undefined for every other one. */
export function pushedInVain(error: unknown, name: string): McpError | undefined {
  if (!isMcpError(error, 'mcp-rpc-error') || !IN_VAIN.test(error.message)) return undefined
  return new McpError('mcp-rpc-error', `${error.message} ${eraHint(name)}`, { detail: rpcDetail(error) ?? null })
}

/** The same result with what to do about it as its last words; undefined for every other one. */
export function endedInVain(result: JsonObject, name: string): JsonObject | undefined {
  const { isError, content } = result
  if (isError !== true || !Array.isArray(content)) return undefined
  const said = content.some((block) => isJsonObject(block) && IN_VAIN.test(String(block.text)))
  return said ? { ...result, content: [...content, { type: 'text', text: eraHint(name) }] } : undefined
}
