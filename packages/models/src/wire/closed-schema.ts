import type { Json, JsonObject } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'

/** Keywords that strict modes keep. With any other the provider would refuse the schema or loosen it in silence. */
const EXACT_KEYWORDS = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$defs',
  '$ref',
  'title',
  'description',
])

/**
 * True where a provider's strict mode means exactly this schema: every object is closed and requires all that it has.
 * Anything else is sent as a wish, and checked by the host.
 */
export function isClosedSchema(schema: JsonObject): boolean {
  return schema.type === 'object' && isExact(schema)
}

function isExact(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false
  if (Object.keys(value).some((key) => !EXACT_KEYWORDS.has(key))) return false
  const { properties, required, items, anyOf, $defs } = value
  if (value.type === 'object' || properties !== undefined) {
    if (!isJsonObject(properties) || value.additionalProperties !== false || !Array.isArray(required)) return false
    const names = Object.keys(properties)
    if (!names.every((name) => required.includes(name) && isExact(properties[name]))) return false
  }
  if (items !== undefined && !isExact(items)) return false
  if (value.type === 'array' && items === undefined) return false
  if (anyOf !== undefined && !(Array.isArray(anyOf) && anyOf.every((item: Json) => isExact(item)))) return false
  return $defs === undefined || (isJsonObject($defs) && Object.values($defs).every((item) => isExact(item)))
}
