import { isJsonObject, type JsonObject } from '@tenon/kernel'
import type { UpstreamInfo } from '../../upstream/upstream.js'
import { META_SERVER_INFO } from './meta-keys.js'
import { MODERN_VERSIONS } from './modern-era.js'

/** What `server/discover` says, or undefined when it is no answer of a modern server. */
export function readDiscovery(result: JsonObject): { info: UpstreamInfo | undefined; versions: string[] } | undefined {
  const { supportedVersions, capabilities, instructions, _meta } = result
  if (!Array.isArray(supportedVersions)) return undefined
  const versions = supportedVersions.filter((version) => typeof version === 'string')
  const version = MODERN_VERSIONS.find((known) => versions.includes(known))
  if (version === undefined) return { info: undefined, versions }
  const serverInfo = isJsonObject(_meta) ? _meta[META_SERVER_INFO] : undefined
  return {
    versions,
    info: {
      era: 'modern',
      version,
      capabilities: isJsonObject(capabilities) ? capabilities : {},
      serverInfo: isJsonObject(serverInfo) ? serverInfo : {},
      ...(typeof instructions === 'string' ? { instructions } : {}),
    },
  }
}
