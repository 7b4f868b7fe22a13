import type { Json, JsonObject } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'

const AT_THE_ROOT = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'enum', 'const'] as const

/**
 * The schema of a tool's arguments with nothing at its root but an object: OpenAI and Anthropic refuse alternatives
 * there. The fields of all alternatives are offered, and only what each of them requires is required. That is wider than
 * what is meant; the host checks against the schema itself. A schema that is fine is returned as it is.
 */
export function objectRoot(schema: JsonObject): JsonObject {
  const root = atRoot(schema, schema)
  if (root.type === 'object' && isJsonObject(root.properties) && !AT_THE_ROOT.some((word) => word in root)) return root
  const rest = Object.fromEntries(Object.entries(root).filter(([key]) => !AT_THE_ROOT.includes(key as 'not')))
  let { properties, required } = fieldsOf(root)
  for (const part of branches(root.allOf)) {
    const fields = fieldsOf(objectRoot(atRoot(part, schema)))
    properties = joined(properties, fields.properties)
    required = [...new Set([...required, ...fields.required])]
  }
  for (const word of ['anyOf', 'oneOf'] as const) {
    const parts = branches(root[word]).map((part) => fieldsOf(objectRoot(atRoot(part, schema))))
    const [first, ...others] = parts
    if (first === undefined) continue
    const always = first.required.filter((name) => others.every((part) => part.required.includes(name)))
    for (const part of parts) properties = joined(properties, part.properties)
    required = [...new Set([...required, ...always])]
  }
  return { ...rest, type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

type Fields = { readonly properties: JsonObject; readonly required: readonly string[] }

function fieldsOf({ properties, required }: JsonObject): Fields {
  return {
    properties: isJsonObject(properties) ? properties : {},
    required: Array.isArray(required) ? required.map(String) : [],
  }
}

const branches = (list: Json | undefined): readonly JsonObject[] =>
  Array.isArray(list) ? list.filter((part: Json): part is JsonObject => isJsonObject(part)) : []

/** Follows references from the root, which has no place to keep them. */
function atRoot(schema: JsonObject, document: JsonObject): JsonObject {
  let found = schema
  for (let hops = 0; hops < 8 && typeof found.$ref === 'string'; hops++) {
    let target: Json | undefined = document
    for (const step of found.$ref.replace(/^#\/?/, '').split('/').filter(Boolean)) {
      target = isJsonObject(target) && Object.hasOwn(target, step) ? target[step] : undefined
    }
    if (!isJsonObject(target)) break
    const { $ref: _, ...beside } = found
    found = { ...target, ...beside }
  }
  return found
}

/** A field that differs between alternatives may be any of them. */
function joined(a: JsonObject, b: JsonObject): JsonObject {
  const all: Record<string, Json> = { ...a }
  for (const [key, schema] of Object.entries(b)) {
    const known = all[key]
    if (known === undefined || JSON.stringify(known) === JSON.stringify(schema)) all[key] = schema
    else if (isJsonObject(known) && Array.isArray(known.anyOf)) all[key] = { ...known, anyOf: [...known.anyOf, schema] }
    else all[key] = { anyOf: [known, schema] }
  }
  return all
}
