import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'

const TYPES: ReadonlySet<Json> = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'])
const DRAFTS: ReadonlySet<Json> = new Set([
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema#',
])

/**
 * True for a schema that holds nothing but the everyday keywords, each with a value that it may have: every draft from
 * 07 on accepts it and means the same by it, and it compiles. Says nothing about all others. Compiling the meta-schema to
 * find the same out takes as long as a whole `node` takes to start.
 */
export function isPlainSchema({ $schema, ...schema }: JsonObject): boolean {
  return ($schema === undefined || DRAFTS.has($schema)) && isPlain(schema)
}

const isPlain = (schema: Json): boolean =>
  typeof schema === 'boolean' ||
  (isJsonObject(schema) && Object.entries(schema).every(([keyword, value]) => KEYWORDS.get(keyword)?.(value) === true))

type Fits = (value: Json) => boolean

const anything: Fits = () => true
const isText: Fits = (value) => typeof value === 'string'
const isFlag: Fits = (value) => typeof value === 'boolean'
const isNumber: Fits = (value) => typeof value === 'number' && Number.isFinite(value)
const isCount: Fits = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isList: Fits = (value) => Array.isArray(value) && value.length > 0
const arePlain: Fits = (value) => Array.isArray(value) && value.length > 0 && value.every(isPlain)

/** Each once, as `required`, `enum` and a list of types want it; scalars only. */
const areDifferent = (value: Json, fits: Fits): boolean =>
  Array.isArray(value) && value.every(fits) && new Set(value).size === value.length

const isPattern: Fits = (value) => {
  // What ajv takes for a pattern of another language.
  if (typeof value !== 'string' || value.includes('\\Z')) return false
  try {
    new RegExp(value, 'u')
    return true
  } catch {
    return false
  }
}

const KEYWORDS: ReadonlyMap<string, Fits> = new Map([
  ['type', (value) => TYPES.has(value) || (isList(value) && areDifferent(value, (one) => TYPES.has(one)))],
  ['properties', (value) => isJsonObject(value) && Object.values(value).every(isPlain)],
  ['required', (value) => areDifferent(value, isText)],
  ['additionalProperties', isPlain],
  ['items', isPlain],
  ['enum', (value) => isList(value) && areDifferent(value, (one) => typeof one !== 'object')],
  ['const', anything],
  ['anyOf', arePlain],
  ['oneOf', arePlain],
  ['allOf', arePlain],
  ['title', isText],
  ['description', isText],
  ['default', anything],
  ['examples', Array.isArray],
  ['format', isText],
  ['pattern', isPattern],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['minProperties', isCount],
  ['maxProperties', isCount],
  ['uniqueItems', isFlag],
  ['readOnly', isFlag],
  ['writeOnly', isFlag],
  ['deprecated', isFlag],
])
