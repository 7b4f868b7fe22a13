import type { Json, JsonObject } from '@tenon/kernel'

/** What definitions in the wild call a type, in small letters, and the JSON Schema word for it; null is any type. */
const WORDS: Readonly<Record<string, string | null>> = {
  string: 'string',
  str: 'string',
  text: 'string',
  char: 'string',
  number: 'number',
  float: 'number',
  double: 'number',
  decimal: 'number',
  integer: 'integer',
  int: 'integer',
  long: 'integer',
  bigint: 'integer',
  boolean: 'boolean',
  bool: 'boolean',
  array: 'array',
  list: 'array',
  tuple: 'array',
  set: 'array',
  arraylist: 'array',
  object: 'object',
  dict: 'object',
  map: 'object',
  hashmap: 'object',
  null: 'null',
  none: 'null',
  nonetype: 'null',
  any: null,
}

const GENERIC = /^(list|tuple|set|sequence|optional|dict|mapping)\[(.*)\]$/i

/**
 * The schema that a type's name stands for: `float` is `{type: 'number'}`, `any` is `{}`, `list[int]` has items.
 * Undefined for a name that means nothing here.
 */
export function schemaOfTypeName(name: string): JsonObject | undefined {
  const word = WORDS[name.trim().toLowerCase()]
  if (word === null) return {}
  if (word !== undefined) return { type: word }
  const [, outer = '', inner = ''] = GENERIC.exec(name.trim()) ?? []
  switch (outer.toLowerCase()) {
    case 'list':
    case 'set':
    case 'sequence': {
      const items = schemaOfTypeName(inner)
      return items === undefined ? undefined : { type: 'array', items }
    }
    case 'tuple':
      return { type: 'array' }
    case 'dict':
    case 'mapping':
      return { type: 'object' }
    case 'optional': {
      const type = schemaOfTypeName(inner)?.type
      return typeof type === 'string' ? { type: [type, 'null'] } : undefined
    }
    default:
      return undefined
  }
}

/** True where a value is of a JSON Schema type. */
export function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

/** The value that a text spells in a type (`'5'`, `'True'`), or undefined. */
export function spelledIn(text: Json, type: string): Json | undefined {
  if (typeof text !== 'string') return undefined
  if (type === 'number' || type === 'integer') {
    const value = Number(text)
    return text.trim() !== '' && Number.isFinite(value) && isOfType(value, type) ? value : undefined
  }
  if (type !== 'boolean') return undefined
  return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined
}
