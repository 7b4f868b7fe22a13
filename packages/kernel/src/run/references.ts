import type { Json, JsonObject } from '../content/json.js'
import { isJsonObject } from '../content/json.js'
import { KernelError } from '../errors/kernel-errors.js'

/**
 * A reference to another step's result in the arguments of a planned call: `$1`, `${search}.items[0].id`.
 * `$$` is a dollar sign. The name is the step's alias or call id.
 */
const REFERENCE = /\$\$|\$(?:\{([A-Za-z0-9_.-]+)\}|([A-Za-z0-9_]+))((?:\.[A-Za-z0-9_]+|\[\d+\])*)/g
const STEP = /\.([A-Za-z0-9_]+)|\[(\d+)\]/g

/** Names that the arguments refer to, each once, in order of appearance. */
export function referencedNames(args: Json): readonly string[] {
  const names = new Set<string>()
  collect(args, names)
  return [...names]
}

function collect(value: Json, into: Set<string>): void {
  if (typeof value === 'string') {
    if (!value.includes('$')) return
    for (const match of value.matchAll(REFERENCE)) {
      const name = match[1] ?? match[2]
      if (name !== undefined) into.add(name)
    }
  } else if (Array.isArray(value)) for (const item of value) collect(item as Json, into)
  else if (isJsonObject(value)) for (const item of Object.values(value)) collect(item, into)
}

/**
 * Replaces references by values. A text that is one reference and nothing else takes the value with its type; inside
 * text a value becomes text. `lookup` gives the full value of a name.
 * @throws KernelError `reference-dead` for a path that leads nowhere.
 */
export function resolveReferences(args: JsonObject, lookup: (name: string) => Json): JsonObject {
  return resolve(args, lookup) as JsonObject
}

function resolve(value: Json, lookup: (name: string) => Json): Json {
  if (typeof value === 'string') return value.includes('$') ? resolveText(value, lookup) : value
  if (Array.isArray(value)) return value.map((item) => resolve(item as Json, lookup))
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, lookup)]))
  return value
}

function resolveText(text: string, lookup: (name: string) => Json): Json {
  const matches = [...text.matchAll(REFERENCE)]
  const only = matches.length === 1 ? matches[0] : undefined
  if (only && only[0].length === text.length && only[0] !== '$$') return referredValue(only, lookup)
  return text.replace(REFERENCE, (...groups) => {
    if (groups[0] === '$$') return '$'
    const value = referredValue(groups as unknown as RegExpMatchArray, lookup)
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

function referredValue(match: RegExpMatchArray, lookup: (name: string) => Json): Json {
  const name = match[1] ?? match[2] ?? ''
  let value: Json | undefined = lookup(name)
  for (const [, key, index] of (match[3] ?? '').matchAll(STEP)) {
    value = index !== undefined ? at(value, Number(index)) : member(value, key ?? '')
    if (value === undefined)
      throw new KernelError('reference-dead', `${match[0]} leads nowhere: the result of ${name} has no such member.`)
  }
  return value
}

const at = (value: Json | undefined, index: number): Json | undefined =>
  Array.isArray(value) ? (value[index] as Json | undefined) : undefined

const member = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : at(value, Number(key))
