import { isJsonObject, type JsonObject } from '@tenon/kernel'
import { isMcpError, McpError, rpcDetail } from '../../errors.js'
import type { Connection } from '../../upstream/connection.js'
import type { Diagnose } from '../../upstream/diagnostic.js'
import type { UpstreamInfo, UpstreamOptions } from '../../upstream/upstream.js'
import { LEGACY_VERSIONS, legacyEra } from './legacy-era.js'

/** The handshake of the legacy era. Tries once more with a version that the server names in its refusal. */
export async function initialize(
  connection: Connection,
  options: UpstreamOptions,
  timeoutMs: number,
  diagnose: Diagnose,
  signal?: AbortSignal,
): Promise<UpstreamInfo> {
  const ask = (version: string | undefined): Promise<JsonObject> =>
    connection.request(
      'initialize',
      { protocolVersion: version ?? '', capabilities: options.capabilities ?? {}, clientInfo: options.clientInfo },
      { timeoutMs, totalTimeoutMs: timeoutMs, ...(signal === undefined ? {} : { signal }) },
    )
  let result: JsonObject
  try {
    result = await ask(LEGACY_VERSIONS[0])
  } catch (error) {
    const named = versionsNamed(error)
    const known = LEGACY_VERSIONS.find((version) => version !== LEGACY_VERSIONS[0] && named.includes(version))
    if (known === undefined) throw named.length > 0 ? unsupported(options.name, named) : error
    diagnose('version-retried', known)
    result = await ask(known)
  }
  const { protocolVersion: version, capabilities, serverInfo, instructions } = result
  if (typeof version !== 'string')
    throw new McpError('mcp-protocol-error', `${options.name} names no protocol version in its handshake.`)
  if (!LEGACY_VERSIONS.includes(version)) throw unsupported(options.name, [version])
  connection.era = legacyEra(version)
  connection.notify('notifications/initialized')
  return {
    era: 'legacy',
    version,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    serverInfo: isJsonObject(serverInfo) ? serverInfo : {},
    ...(typeof instructions === 'string' ? { instructions } : {}),
  }
}

const VERSION = /\b\d{4}-\d{2}-\d{2}\b/g

/** Versions that a refusal names: as data, or in its text. Ours, repeated, is none of them. */
function versionsNamed(error: unknown): readonly string[] {
  if (!isMcpError(error, 'mcp-rpc-error')) return []
  const data = rpcDetail(error)?.data
  const listed = isJsonObject(data) ? (data.supported ?? data.supportedVersions) : undefined
  if (Array.isArray(listed)) return listed.filter((version) => typeof version === 'string')
  const found = error.message.match(VERSION) ?? []
  return found.filter((version) => version !== LEGACY_VERSIONS[0])
}

export const unsupported = (name: string, versions: readonly string[]): McpError =>
  new McpError(
    'mcp-version-unsupported',
    `${name} speaks MCP ${versions.join(', ')} only. Spoken here: 2026-07-28, ${LEGACY_VERSIONS.join(', ')}.`,
    { detail: { versions: [...versions] } },
  )
