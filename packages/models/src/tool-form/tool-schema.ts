import type { Json, JsonObject, ToolDefinition } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import { isOfType, schemaOfTypeName, spelledIn } from './type-names.js'

/** What had to change in a definition that was found somewhere, by name. */
export type SchemaChange =
  | 'type-renamed'
  | 'items-added'
  | 'enum-retyped'
  | 'default-retyped'
  | 'default-dropped'
  | 'required-lifted'
  | 'nullable-folded'
  | 'keyword-dropped'

export type ReadDefinition = { readonly tool: ToolDefinition; readonly changes: readonly SchemaChange[] }

const MAX_DEPTH = 64
const MAX_NAME = 256
/** Words that are no JSON Schema and say nothing that its words do not. */
const FOREIGN: ReadonlySet<string> = new Set(['optional', 'nullable'])
const SUBSCHEMAS = ['additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'] as const
const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const

/**
 * A tool definition as it is found in files, prompts and other frameworks, as JSON Schema 2020-12: `parameters`,
 * `input_schema` or `inputSchema`, with Python's or Java's names of types, lists without items, texts for numbers.
 * What that changed is named.
 * @throws ModelsError `tool-schema-invalid` with the place, where the definition has no certain meaning
 */
export function readToolDefinition(written: Json): ReadDefinition {
  if (!isJsonObject(written)) throw invalid('', 'a definition is an object with name, description and parameters')
  const { name, description } = written
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME) {
    throw invalid('/name', `a tool needs a name of 1 to ${MAX_NAME} characters`)
  }
  const changes = new Set<SchemaChange>()
  const found = written.parameters ?? written.input_schema ?? written.inputSchema
  const input = readToolSchema(found ?? { type: 'object', properties: {} }, changes, name)
  const tool = { name, description: typeof description === 'string' ? description : '', input }
  return { tool, changes: [...changes].sort() }
}

/** The schema of a tool's arguments; the root must be an object. See `readToolDefinition`. */
export function readToolSchema(written: Json, changes: Set<SchemaChange> = new Set(), tool = ''): JsonObject {
  const schema = readSchema(written, '', changes, 0, tool)
  if (schema.type === undefined && !('$ref' in schema) && !SCHEMA_LISTS.some((word) => word in schema)) {
    return { type: 'object', ...schema }
  }
  if (schema.type !== undefined && schema.type !== 'object') {
    throw invalid('/type', `the arguments of a tool are an object, not ${JSON.stringify(schema.type)}`, tool)
  }
  return schema
}

function invalid(path: string, reason: string, tool = ''): ModelsError {
  const where = tool === '' ? '' : ` of the tool ${JSON.stringify(tool)}`
  const place = path === '' ? '' : ` at ${path}`
  return new ModelsError('tool-schema-invalid', `The definition${where} cannot be used: ${reason}${place}.`, {
    detail: { tool, path },
  })
}

function readSchema(
  written: Json | undefined,
  path: string,
  changes: Set<SchemaChange>,
  depth: number,
  tool: string,
): JsonObject {
  if (written === true) return {}
  if (!isJsonObject(written)) throw invalid(path, 'a schema must be an object', tool)
  if (depth > MAX_DEPTH) throw invalid(path, `a schema may be nested ${MAX_DEPTH} levels deep`, tool)
  const below = (value: Json | undefined, step: string): Json =>
    value === false ? false : readSchema(value, `${path}/${step}`, changes, depth + 1, tool)
  const schema: Record<string, Json> = {}
  for (const [key, value] of Object.entries(written)) {
    if (FOREIGN.has(key)) changes.add('keyword-dropped')
    else if (key !== 'type' && key !== 'required') schema[key] = value
  }
  readType(written, path, schema, changes, tool)
  for (const word of SCHEMA_MAPS) {
    const map = written[word]
    if (map === undefined) continue
    if (!isJsonObject(map)) throw invalid(`${path}/${word}`, 'this must be an object of schemas', tool)
    schema[word] = Object.fromEntries(
      Object.entries(map).map(([key, value]) => [key, below(value, `${word}/${pointer(key)}`)]),
    )
  }
  for (const word of SCHEMA_LISTS) {
    const list = written[word]
    if (list === undefined) continue
    if (!Array.isArray(list) || list.length === 0)
      throw invalid(`${path}/${word}`, 'this must be a list of schemas', tool)
    schema[word] = list.map((item: Json, index) => below(item, `${word}/${index}`))
  }
  for (const word of SUBSCHEMAS) if (written[word] !== undefined) schema[word] = below(written[word], word)
  readItems(written, schema, changes, below)
  readRequired(written, path, schema, changes, tool)
  readValues(schema, path, changes, tool)
  return schema
}

const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

function readType(
  written: JsonObject,
  path: string,
  schema: Record<string, Json>,
  changes: Set<SchemaChange>,
  tool: string,
): void {
  const { type, nullable } = written
  const names = Array.isArray(type) ? type : type === undefined || type === null ? [] : [type]
  const types = new Set<string>()
  let any = names.length === 0
  for (const name of names) {
    const meant = typeof name === 'string' ? schemaOfTypeName(name) : undefined
    if (meant === undefined) throw invalid(`${path}/type`, `${JSON.stringify(name)} is no type`, tool)
    if (meant.type !== name) changes.add('type-renamed')
    if (meant.items !== undefined && schema.items === undefined) schema.items = meant.items
    const meantTypes = Array.isArray(meant.type) ? meant.type : meant.type === undefined ? [] : [meant.type]
    for (const one of meantTypes) types.add(String(one))
    any ||= meantTypes.length === 0
  }
  if (nullable === true && types.size > 0) {
    types.add('null')
    changes.add('nullable-folded')
  }
  const [only] = types
  if (any || only === undefined) {
    if (isJsonObject(written.properties)) schema.type = 'object'
  } else schema.type = types.size === 1 ? only : [...types]
}

/** A list without items may hold anything; a list of schemas for items is the older form of prefixItems. */
function readItems(
  written: JsonObject,
  schema: Record<string, Json>,
  changes: Set<SchemaChange>,
  below: (value: Json | undefined, step: string) => Json,
): void {
  const { items } = written
  if (Array.isArray(items)) {
    delete schema.items
    schema.prefixItems = items.map((item: Json, index) => below(item, `items/${index}`))
    changes.add('type-renamed')
    return
  }
  if (items !== undefined && items !== null) schema.items = below(items, 'items')
  else if (schema.type === 'array' && schema.items === undefined && schema.prefixItems === undefined) {
    schema.items = {}
    changes.add('items-added')
  }
}

/** `required` is a list of names; a truth value on the field itself is an older form of it. */
function readRequired(
  written: JsonObject,
  path: string,
  schema: Record<string, Json>,
  changes: Set<SchemaChange>,
  tool: string,
): void {
  const required = new Set<string>()
  if (Array.isArray(written.required)) {
    for (const name of written.required) {
      if (typeof name !== 'string') throw invalid(`${path}/required`, 'this must be a list of names', tool)
      required.add(name)
    }
  } else if (written.required !== undefined && written.required !== null && typeof written.required !== 'boolean') {
    throw invalid(`${path}/required`, 'this must be a list of names', tool)
  }
  if (isJsonObject(written.properties)) {
    for (const [name, field] of Object.entries(written.properties)) {
      if (isJsonObject(field) && field.required === true) {
        required.add(name)
        changes.add('required-lifted')
      }
    }
  }
  if (Array.isArray(written.required) || required.size > 0) schema.required = [...required]
}

/** Values of an enum and a default are of the type that is named; those that spell a value of it are put into it. */
function readValues(schema: Record<string, Json>, path: string, changes: Set<SchemaChange>, tool: string): void {
  const { type, enum: listed } = schema
  if (listed !== undefined && (!Array.isArray(listed) || listed.length === 0)) {
    throw invalid(`${path}/enum`, 'this must be a list of values', tool)
  }
  if (Array.isArray(listed) && typeof type === 'string') {
    const values = listed.map((value: Json) => (isOfType(value, type) ? value : (spelledIn(value, type) ?? value)))
    if (values.some((value: Json, index) => value !== listed[index])) changes.add('enum-retyped')
    schema.enum = values
    if (!values.every((value: Json) => isOfType(value, type))) {
      // The values say more exactly what is meant than the type does.
      delete schema.type
      changes.add('enum-retyped')
    }
  }
  if (!('default' in schema)) return
  const wanted = schema.default ?? null
  const types = Array.isArray(schema.type)
    ? schema.type.map(String)
    : typeof schema.type === 'string'
      ? [schema.type]
      : []
  const fits = (value: Json): boolean =>
    (types.length === 0 || types.some((one) => isOfType(value, one))) &&
    (!Array.isArray(schema.enum) || schema.enum.some((one) => one === value))
  if (fits(wanted)) return
  const spelled = types.map((one) => spelledIn(wanted, one)).find((value) => value !== undefined && fits(value))
  if (spelled === undefined) {
    delete schema.default
    changes.add('default-dropped')
  } else {
    schema.default = spelled
    changes.add('default-retyped')
  }
}
