import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { McpError } from '../../errors.js'
import type { JsonRpcRequest } from '../../upstream/json-rpc.js'
import type { UpstreamOptions } from '../../upstream/upstream.js'
import type { Era } from '../era.js'
import { headerValue } from './header-value.js'
import { META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_LOG_LEVEL, META_VERSION } from './meta-keys.js'
import { headersOfArguments, type ParamHeader, paramHeaders } from './param-headers.js'

/** Revisions without a handshake that we speak, newest first. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28']

/** Where the `Mcp-Name` header takes its value from, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** Every request carries version, client and capabilities; over HTTP headers repeat what a gateway routes by. */
export function modernEra(version: string, options: UpstreamOptions): Era {
  const envelope: JsonObject = {
    [META_VERSION]: version,
    [META_CLIENT_INFO]: { ...options.clientInfo },
    [META_CLIENT_CAPABILITIES]: options.capabilities ?? {},
    ...(options.logLevel === undefined ? {} : { [META_LOG_LEVEL]: options.logLevel }),
  }
  const marks = new Map<string, readonly ParamHeader[]>()
  return {
    name: 'modern',
    version,
    frame(message) {
      const params = { ...message.params, _meta: { ...envelope, ...metaOf(message) } }
      return { message: { ...message, params }, headers: headersOf(message, version, marks) }
    },
    headers: { 'mcp-protocol-version': version },
    check(method, result, diagnose) {
      if (method === 'tools/list') rememberMarks(result, marks)
      const { resultType } = result
      if (resultType === undefined) {
        diagnose('missing-result-type', method)
        return undefined
      }
      if (resultType === 'complete' || resultType === 'input_required' || resultType === 'task') return undefined
      const named = typeof resultType === 'string' ? resultType.slice(0, 100) : typeof resultType
      diagnose('unknown-result-type', named)
      return new McpError(
        'mcp-protocol-error',
        `${options.name} answered with a result of the unknown type "${named}".`,
      )
    },
    cancelsByClosing: true,
    serverAsks: false,
  }
}

function metaOf({ params }: JsonRpcRequest): JsonObject {
  const meta = params?._meta
  return isJsonObject(meta) ? meta : {}
}

function headersOf(
  { method, params }: JsonRpcRequest,
  version: string,
  marks: ReadonlyMap<string, readonly ParamHeader[]>,
): Record<string, string> {
  const headers: Record<string, string> = { 'mcp-protocol-version': version, 'mcp-method': method }
  const key = NAMED_BY[method]
  const name = key === undefined ? undefined : params?.[key]
  if (typeof name !== 'string') return headers
  headers['mcp-name'] = headerValue(name)
  if (method !== 'tools/call') return headers
  const marked = marks.get(name)
  const args = params?.arguments
  if (marked === undefined || !isJsonObject(args)) return headers
  return { ...headers, ...headersOfArguments(marked, args) }
}

/** Which arguments a call must repeat as headers is said where the tools are listed. */
function rememberMarks({ tools }: JsonObject, marks: Map<string, readonly ParamHeader[]>): void {
  if (!Array.isArray(tools)) return
  for (const tool of tools as readonly Json[]) {
    if (!isJsonObject(tool) || typeof tool.name !== 'string' || !isJsonObject(tool.inputSchema)) continue
    const found = paramHeaders(tool.inputSchema)
    if (found.ok && found.headers.length > 0) marks.set(tool.name, found.headers)
    else marks.delete(tool.name)
  }
}
