import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'

/**
 * Turns JSON Schema into the part of it that a grammar can hold a model to. The grammar asks for every property of an
 * object, so a property that may be absent may be `null` instead, and `withoutAbsent` takes such nulls out again. What
 * a grammar cannot say (patterns, number ranges, `not`) is left out: the broker still checks all of it.
 */
export function grammarSchema(schema: Json, root: Json = schema, depth = 0): JsonObject {
  if (!isJsonObject(schema) || depth > 12) return ANY
  if (typeof schema.$ref === 'string') return grammarSchema(resolveRef(root, schema.$ref), root, depth + 1)
  const note = typeof schema.description === 'string' ? { description: schema.description } : {}
  if (schema.const !== undefined && !isNested(schema.const)) return { const: schema.const, ...note }
  if (Array.isArray(schema.enum)) {
    const values = (schema.enum as readonly Json[]).filter((value) => !isNested(value))
    if (values.length > 0) return { enum: values, ...note }
  }
  const choices = schema.oneOf ?? schema.anyOf
  if (Array.isArray(choices) && choices.length > 0)
    return { oneOf: (choices as readonly Json[]).map((choice) => grammarSchema(choice, root, depth + 1)), ...note }
  const types = Array.isArray(schema.type) ? (schema.type as readonly Json[]) : [schema.type ?? impliedType(schema)]
  const forms = types.map((type) => ({ ...formOf(type, schema, root, depth), ...note }))
  return forms.length === 1 ? (forms[0] ?? ANY) : { oneOf: forms }
}

/** Any value, as deep as is useful: a grammar has no word for it. */
const SCALAR: JsonObject = { type: ['string', 'number', 'boolean', 'null'] }
const FLAT: JsonObject = {
  oneOf: [SCALAR, { type: 'array', items: SCALAR }, { type: 'object', additionalProperties: SCALAR }],
}
const ANY: JsonObject = {
  oneOf: [SCALAR, { type: 'array', items: FLAT }, { type: 'object', additionalProperties: FLAT }],
}

function formOf(type: Json | undefined, schema: JsonObject, root: Json, depth: number): JsonObject {
  switch (type) {
    case 'object':
      return objectForm(schema, root, depth)
    case 'array':
      return {
        type: 'array',
        items: grammarSchema(schema.items ?? {}, root, depth + 1),
        ...numbers(schema, 'minItems', 'maxItems'),
      }
    case 'string': {
      const format = schema.format
      if (format === 'date' || format === 'time' || format === 'date-time') return { type: 'string', format }
      return { type: 'string', ...numbers(schema, 'minLength', 'maxLength') }
    }
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return { type }
    default:
      return ANY
  }
}

function objectForm(schema: JsonObject, root: Json, depth: number): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties: Record<string, JsonObject> = {}
  for (const [name, property] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {})) {
    const form = grammarSchema(property, root, depth + 1)
    properties[name] = required.includes(name) ? form : { oneOf: [form, { type: 'null' }] }
  }
  const open = schema.additionalProperties
  if (Object.keys(properties).length > 0 || open === false) return { type: 'object', properties }
  return { type: 'object', additionalProperties: isJsonObject(open) ? grammarSchema(open, root, depth + 1) : ANY }
}

function numbers(schema: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.filter((key) => typeof schema[key] === 'number').map((key) => [key, schema[key] as Json]),
  )
}

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null

function impliedType(schema: JsonObject): Json | undefined {
  if (schema.properties !== undefined) return 'object'
  return schema.items === undefined ? undefined : 'array'
}

function resolveRef(root: Json, ref: string): Json {
  if (!ref.startsWith('#/')) return {}
  let here: Json = root
  for (const part of ref.slice(2).split('/')) {
    const next: Json | undefined = isJsonObject(here)
      ? here[part.replaceAll('~1', '/').replaceAll('~0', '~')]
      : undefined
    if (next === undefined) return {}
    here = next
  }
  return here
}

/** Takes out the nulls that stand for absent properties: those that the schema neither requires nor allows. */
export function withoutAbsent(value: Json, schema: Json, root: Json = schema, depth = 0): Json {
  if (!isJsonObject(schema) || depth > 12) return value
  if (typeof schema.$ref === 'string') return withoutAbsent(value, resolveRef(root, schema.$ref), root, depth + 1)
  if (Array.isArray(value)) {
    const items = schema.items
    return items === undefined ? value : value.map((item: Json) => withoutAbsent(item, items, root, depth + 1))
  }
  if (!isJsonObject(value) || !isJsonObject(schema.properties)) return value
  const required = Array.isArray(schema.required) ? schema.required : []
  const kept: Record<string, Json> = {}
  for (const [name, member] of Object.entries(value)) {
    const property = schema.properties[name]
    if (member === null && !required.includes(name) && !allowsNull(property)) continue
    kept[name] = property === undefined ? member : withoutAbsent(member, property, root, depth + 1)
  }
  return kept
}

function allowsNull(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return false
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.includes('null') || schema.const === null) return true
  if (Array.isArray(schema.enum) && schema.enum.includes(null)) return true
  const choices = schema.oneOf ?? schema.anyOf
  return Array.isArray(choices) && (choices as readonly Json[]).some(allowsNull)
}
