import type { JsonObject } from '@tenon/kernel'

/** A result without what only the modern era has: clients of before check results strictly. */
export function legacyResult(result: JsonObject): JsonObject {
  if (!('resultType' in result || 'ttlMs' in result || 'cacheScope' in result)) return result
  const { resultType, ttlMs, cacheScope, ...rest } = result
  return rest
}
