import { isJsonObject, type JsonObject } from '@tenon/kernel'
import { META } from './envelope.js'

/** Results that a client may keep; each says for how long (SEP-2549). */
const CACHEABLE: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
])

/** A result as it stands on the wire of 2026-07-28: its type, who answered, and how long it may be kept. */
export function modernResult(method: string, result: JsonObject, serverInfo: JsonObject): JsonObject {
  const meta = isJsonObject(result._meta) ? result._meta : {}
  const resultType = result.resultType ?? 'complete'
  const kept = resultType === 'complete' && CACHEABLE.has(method)
  const { ttlMs, cacheScope } = result
  return {
    ...result,
    resultType,
    ...(kept
      ? {
          ttlMs: typeof ttlMs === 'number' && ttlMs >= 0 ? ttlMs : 0,
          cacheScope: cacheScope === 'public' ? 'public' : 'private',
        }
      : {}),
    _meta: META.serverInfo in meta ? meta : { ...meta, [META.serverInfo]: serverInfo },
  }
}
