import type { Json, JsonObject } from '../content/json.js'
import { isJsonObject } from '../content/json.js'

/** A schema of the arguments, with the document that its local references point into. */
export type Shape = { readonly schema: Json | undefined; readonly root: JsonObject }

const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** Follows local references. Anything that is no object schema counts as unknown. */
function resolved(shape: Shape): JsonObject {
  let schema = shape.schema
  for (let hops = 0; hops < 8 && isJsonObject(schema); hops++) {
    const reference = schema.$ref
    if (typeof reference !== 'string' || !reference.startsWith('#')) return schema
    let target: Json | undefined = shape.root
    for (const part of reference.slice(1).split('/').slice(1)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
      target = isJsonObject(target) ? own(target, key) : undefined
    }
    schema = target
  }
  return {}
}

/** The one type that values must have; undefined where there is none or more than one. */
export function singleType(shape: Shape): string | undefined {
  const { type, enum: values, const: only } = resolved(shape)
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return type.length === 1 && typeof type[0] === 'string' ? type[0] : undefined
  if (type !== undefined) return undefined
  const listed = Array.isArray(values) ? values : only === undefined ? [] : [only]
  const [first] = new Set(listed.map((value) => (value === null ? 'null' : typeof value)))
  const same = listed.every((value) => typeof value === first && value !== null)
  return same && (first === 'string' || first === 'number' || first === 'boolean') ? first : undefined
}

/** True where text is one of several types that are allowed. */
export function admitsText(shape: Shape): boolean {
  const { type } = resolved(shape)
  return singleType(shape) === 'string' || (Array.isArray(type) && type.includes('string'))
}

/** The declared fields, in their order. */
export function declaredFields(shape: Shape): readonly string[] {
  const { properties } = resolved(shape)
  return isJsonObject(properties) ? Object.keys(properties) : []
}

export function requiredFields(shape: Shape): readonly string[] {
  const { required } = resolved(shape)
  return Array.isArray(required) ? required.filter((key): key is string => typeof key === 'string') : []
}

/** The schema of a field: declared, or the one for fields that are not declared. */
export function fieldShape(shape: Shape, key: string): Shape {
  const { properties, additionalProperties } = resolved(shape)
  const declared = isJsonObject(properties) ? own(properties, key) : undefined
  return { schema: declared ?? additionalProperties, root: shape.root }
}

export function itemShape(shape: Shape): Shape {
  return { schema: resolved(shape).items, root: shape.root }
}

/** Keys that the schema forbids. */
export function forbiddenKeys(shape: Shape, value: JsonObject): readonly string[] {
  if (resolved(shape).additionalProperties !== false) return []
  const declared = new Set(declaredFields(shape))
  return Object.keys(value).filter((key) => !declared.has(key))
}

function wanted(shape: Shape): string {
  const { enum: values, type } = resolved(shape)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(type)) return type.join(' | ')
  const one = singleType(shape)
  if (one === 'array') return `array of ${wanted(itemShape(shape))}`
  return one ?? 'any'
}

/** `query (string, required), limit (integer)`: what a model is told about the fields of a tool. */
export function fieldsInWords(shape: Shape): string {
  const required = new Set(requiredFields(shape))
  const fields = declaredFields(shape).map(
    (key) => `${key} (${wanted(fieldShape(shape, key))}${required.has(key) ? ', required' : ''})`,
  )
  return fields.length === 0 ? 'none' : fields.join(', ')
}
