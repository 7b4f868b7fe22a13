import { isJsonObject, type JsonObject } from '@tenon/kernel'
import type { JsonRpcFault } from '../../upstream/json-rpc.js'
import { LOG_LEVELS, type LogLevel } from '../../upstream/log-level.js'
import { RPC } from '../rpc-reply.js'

const MODERN_VERSION = '2026-07-28'
export const MODERN_VERSIONS: readonly string[] = [MODERN_VERSION]

const PREFIX = 'io.modelcontextprotocol/'
export const META = {
  protocolVersion: `${PREFIX}protocolVersion`,
  clientInfo: `${PREFIX}clientInfo`,
  clientCapabilities: `${PREFIX}clientCapabilities`,
  logLevel: `${PREFIX}logLevel`,
  serverInfo: `${PREFIX}serverInfo`,
  subscriptionId: `${PREFIX}subscriptionId`,
} as const

const OWN_KEYS: ReadonlySet<string> = new Set([...Object.values(META), 'progressToken'])

/** What stands in `_meta` of each modern request (revision 2026-07-28, SEP-2575). */
export type Envelope = {
  readonly version: string
  readonly clientInfo: JsonObject
  readonly capabilities: JsonObject
  readonly logLevel: LogLevel | undefined
  readonly progressToken: string | number | undefined
  /** The rest of `_meta`. */
  readonly meta: JsonObject
}

/** A message that names a protocol version in `_meta` claims to be modern, whatever else is wrong with it. */
export const claimsEnvelope = (params: JsonObject): boolean =>
  isJsonObject(params._meta) && META.protocolVersion in params._meta

/** The envelope, or what is wrong with it. */
export function readEnvelope(params: JsonObject): Envelope | { readonly fault: JsonRpcFault } {
  const meta = isJsonObject(params._meta) ? params._meta : {}
  const version = meta[META.protocolVersion]
  const capabilities = meta[META.clientCapabilities]
  const clientInfo = meta[META.clientInfo]
  if (typeof version !== 'string') return wrong(META.protocolVersion, 'a protocol version is needed')
  if (!isJsonObject(capabilities)) return wrong(META.clientCapabilities, 'the capabilities of the client are needed')
  if (clientInfo !== undefined && !isJsonObject(clientInfo)) return wrong(META.clientInfo, 'it must be an object')
  if (!MODERN_VERSIONS.includes(version)) return { fault: unsupported(version) }
  const token = meta.progressToken
  const rest: Record<string, JsonObject[string]> = {}
  for (const key of Object.keys(meta)) if (!OWN_KEYS.has(key)) rest[key] = meta[key] as JsonObject[string]
  return {
    version,
    clientInfo: clientInfo ?? {},
    capabilities,
    logLevel: LOG_LEVELS.find((level) => level === meta[META.logLevel]),
    progressToken: typeof token === 'string' || typeof token === 'number' ? token : undefined,
    meta: rest,
  }
}

const unsupported = (requested: string): JsonRpcFault => ({
  code: RPC.unsupportedVersion,
  message: `Protocol version ${requested} is not spoken here. There is: ${MODERN_VERSIONS.join(', ')}.`,
  data: { supported: [...MODERN_VERSIONS], requested },
})

function wrong(key: string, problem: string): { readonly fault: JsonRpcFault } {
  const message = `_meta["${key}"]: ${problem} in each request of revision ${MODERN_VERSION}.`
  return { fault: { code: RPC.invalidParams, message, data: { envelope: { key, problem } } } }
}
