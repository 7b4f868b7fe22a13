import type { Json, JsonObject } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { invalid } from '../tasks/invalid-field.js'

type Scalar = 'string' | 'bool' | 'int32' | 'bytes' | 'struct' | 'value' | 'timestamp'
type Kind = Scalar | { readonly message: string } | { readonly choice: readonly string[] } | { readonly list: Kind }

type ProtoField = Kind | { readonly required: Kind } | { readonly oneof: readonly string[] }

/** Messages by name, as a proto file has them. The field `$oneof` says which of the others exclude each other. */
export type ProtoTable = Readonly<Record<string, Readonly<Record<string, ProtoField>>>>

/**
 * A message as ProtoJSON reads it: known fields have exactly their type, names may be camelCase or the proto's own,
 * null is absent, and unknown fields are left out. @throws A2AError `a2a-invalid-params` that names the field
 */
export function readMessage(table: ProtoTable, name: string, value: Json | undefined, path = ''): JsonObject {
  if (!isJsonObject(value)) throw invalid(path || 'params', 'must be an object')
  const fields = table[name]
  if (fields === undefined) throw new TypeError(`There is no message ${name} in the table.`)
  const read: Record<string, Json> = {}
  for (const [field, declared] of Object.entries(fields)) {
    if (typeof declared === 'object' && 'oneof' in declared) continue
    const kind = typeof declared === 'object' && 'required' in declared ? declared.required : declared
    const isRequired = kind !== declared
    const at = path === '' ? field : `${path}.${field}`
    const given = Object.hasOwn(value, field) ? value[field] : ownOrUndefined(value, snakeCase(field))
    if (given === undefined || (given === null && kind !== 'value')) {
      if (isRequired) throw invalid(at, 'is missing')
      continue
    }
    const result = readKind(table, kind, given, at)
    if (isRequired && (result === '' || (Array.isArray(result) && result.length === 0))) throw invalid(at, 'is empty')
    read[field] = result
  }
  const only = fields.$oneof
  if (
    typeof only === 'object' &&
    'oneof' in only &&
    only.oneof.filter((field) => Object.hasOwn(read, field)).length !== 1
  )
    throw invalid(path, `must have exactly one of ${only.oneof.join(', ')}`)
  return read
}

function readKind(table: ProtoTable, kind: Kind, value: Json, at: string): Json {
  if (typeof kind === 'object') {
    if ('message' in kind) return readMessage(table, kind.message, value, at)
    if ('choice' in kind) {
      if (typeof value === 'string' && kind.choice.includes(value)) return value
      throw invalid(at, `must be one of ${kind.choice.join(', ')}`)
    }
    if (!Array.isArray(value)) throw invalid(at, 'must be a list')
    return value.map((item, index) => readKind(table, kind.list, item as Json, `${at}[${index}]`))
  }
  switch (kind) {
    case 'string':
      if (typeof value === 'string') return value
      throw invalid(at, 'must be a string')
    case 'bool':
      if (typeof value === 'boolean') return value
      throw invalid(at, 'must be true or false')
    case 'int32':
      return readInteger(value, at)
    case 'bytes':
      return readBytes(value, at)
    case 'struct':
      if (isJsonObject(value)) return value
      throw invalid(at, 'must be an object')
    case 'timestamp':
      if (typeof value === 'string' && RFC_3339.test(value) && !Number.isNaN(Date.parse(value))) return value
      throw invalid(at, 'must be a time such as 2026-01-31T12:00:00Z')
    case 'value':
      return value
  }
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i

function readInteger(value: Json, at: string): number {
  const number = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && Math.abs(number) < 2 ** 31) return number
  throw invalid(at, 'must be a whole number')
}

/** Both alphabets and any padding are read; the standard one is given on. */
function readBytes(value: Json, at: string): string {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(value)) throw invalid(at, 'must be base64')
  const bare = value.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')
  if (bare.length % 4 === 1) throw invalid(at, 'must be base64')
  return bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const ownOrUndefined = (value: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(value, key) ? value[key] : undefined
