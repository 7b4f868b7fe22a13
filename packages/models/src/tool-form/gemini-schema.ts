import type { Json, JsonObject } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { objectRoot } from './object-root.js'

/** The words of its schemas. It refuses a request that holds any other. */
const KEPT: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'anyOf',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
])
const MAX_DEPTH = 24

/**
 * A schema in the subset that Gemini takes: references are put in their places, a const is an enum of one, several types
 * are alternatives. What has no word there is left out, so the result may be wider; the host checks against the schema
 * itself.
 */
export function geminiSchema(schema: JsonObject): JsonObject {
  return subset(objectRoot(schema), schema, 0)
}

function subset(written: Json | undefined, root: JsonObject, depth: number): JsonObject {
  if (!isJsonObject(written) || depth > MAX_DEPTH) return {}
  if (typeof written.$ref === 'string') {
    const { $ref, ...beside } = written
    return subset({ ...target($ref, root), ...beside }, root, depth + 1)
  }
  const schema: Record<string, Json> = {}
  for (const [key, value] of Object.entries(written)) if (KEPT.has(key)) schema[key] = value
  const { properties, items, prefixItems, anyOf, oneOf, const: only } = written
  if (isJsonObject(properties)) {
    schema.properties = Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, subset(value, root, depth + 1)]),
    )
    schema.type ??= 'object'
  }
  if (Array.isArray(schema.required)) {
    const known = isJsonObject(schema.properties) ? schema.properties : {}
    schema.required = schema.required.filter((name) => typeof name === 'string' && Object.hasOwn(known, name))
    if (Array.isArray(schema.required) && schema.required.length === 0) delete schema.required
  }
  if (items !== undefined || written.type === 'array') {
    const first = Array.isArray(prefixItems) ? prefixItems[0] : undefined
    const item = subset(items ?? first, root, depth + 1)
    // A list needs items, and items need a type.
    schema.items = Object.keys(item).length === 0 ? { type: 'string' } : item
  }
  const alternatives = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  if (alternatives !== undefined) {
    delete schema.anyOf
    const parts = alternatives.map((part: Json) => subset(part, root, depth + 1)).filter((part) => part.type !== 'null')
    const nullable = parts.length < alternatives.length
    if (parts.length === 1) Object.assign(schema, parts[0])
    else if (parts.length > 1) schema.anyOf = parts
    if (nullable) schema.nullable = true
  }
  if (only !== undefined) schema.enum = [only]
  types(schema)
  // An enum there is a list of texts.
  if (Array.isArray(schema.enum)) {
    const texts = schema.enum.filter((value) => typeof value === 'string')
    if (texts.length === 0) delete schema.enum
    else {
      schema.enum = texts
      schema.type ??= 'string'
    }
  }
  return schema
}

function types(schema: Record<string, Json>): void {
  if (!Array.isArray(schema.type)) return
  const named = schema.type.filter((type) => type !== 'null')
  if (named.length < schema.type.length) schema.nullable = true
  const [only] = named
  delete schema.type
  if (named.length === 1 && only !== undefined) schema.type = only
  else if (named.length > 1)
    schema.anyOf = named.map((type) => (type === 'array' ? { type, items: { type: 'string' } } : { type }))
}

function target(reference: string, root: JsonObject): JsonObject {
  let found: Json | undefined = root
  for (const step of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    found = isJsonObject(found) && Object.hasOwn(found, step) ? found[step] : undefined
  }
  return isJsonObject(found) ? found : {}
}
