import type { ArgumentProblem } from '../content/block.js'
import type { Json, JsonObject } from '../content/json.js'
import { duplicateKey, unsafeNumber } from './argument-problem.js'
import type { JsonNode, JsonObjectNode } from './json-node.js'
import { isFault, JsonReader } from './json-reader.js'
import type { Repair } from './repair.js'
import type { Shape } from './schema-shape.js'
import { declaredFields, fieldShape, itemShape, requiredFields, singleType } from './schema-shape.js'

type Fit = {
  readonly repairs: Set<Repair>
  problem: ArgumentProblem | null
  /** Set inside a text that was decoded: its own offsets mean nothing outside. */
  readonly place?: number
}

export type Fitted = { readonly value: Json; readonly problem: ArgumentProblem | null }

/** Reads text that must be JSON as it stands, without any repair. */
export function strictNode(text: string): JsonNode | null {
  try {
    JSON.parse(text)
  } catch {
    return null
  }
  const node = new JsonReader(text).value()
  return isFault(node) ? null : node
}

/** The value of a node. Where the schema names one single type, a value that has one spelling in it is put into it. */
export function fitToSchema(node: JsonNode, shape: Shape, repairs: Set<Repair>, place?: number): Fitted {
  const fit: Fit = { repairs, problem: null, ...(place === undefined ? {} : { place }) }
  const value = fitNode(node, shape, fit, null)
  return { value, problem: fit.problem }
}

function fitNode(node: JsonNode, shape: Shape, fit: Fit, field: string | null): Json {
  const type = singleType(shape)
  if (node.kind === 'string') return fitText(node.value, node.start, type, shape, fit, field)
  if (type === 'array' && node.kind !== 'list') {
    const item = singleType(itemShape(shape))
    if (isOneOf(node, item)) {
      fit.repairs.add('coerced-by-schema')
      return [fitNode(node, itemShape(shape), fit, field)]
    }
  }
  switch (node.kind) {
    case 'number':
      return fitNumber(node.digits, node.start, type, fit, field)
    case 'literal':
      return node.value
    case 'list':
      return node.items.map((item) => fitNode(item, itemShape(shape), fit, field))
    case 'object':
      return fitObject(node, shape, fit)
  }
}

/** One number, boolean or object where a list of that is wanted. One text may be several items, so it is not. */
function isOneOf(node: JsonNode, item: string | undefined): boolean {
  if (node.kind === 'object') return item === 'object'
  if (node.kind === 'literal') return typeof node.value === item
  return node.kind === 'number' && (item === 'number' || item === 'integer')
}

function fitObject(node: JsonObjectNode, shape: Shape, fit: Fit): JsonObject {
  const value: Record<string, Json> = {}
  const seen = new Set<string>()
  const declared = new Set(declaredFields(shape))
  const required = requiredFields(shape)
  for (const member of node.members) {
    const { key } = member
    if (seen.has(key)) fit.problem ??= duplicateKey(key, fit.place ?? member.keyStart)
    seen.add(key)
    const inner = fieldShape(shape, key)
    if (
      member.value.kind === 'literal' &&
      member.value.value === null &&
      declared.has(key) &&
      !required.includes(key)
    ) {
      const type = singleType(inner)
      if (type !== undefined && type !== 'null') {
        fit.repairs.add('null-dropped')
        continue
      }
    }
    const fitted = fitNode(member.value, inner, fit, key)
    if (key === '__proto__') Object.defineProperty(value, key, { value: fitted, enumerable: true, writable: true })
    else value[key] = fitted
  }
  return value
}

function fitNumber(digits: string, start: number, type: string | undefined, fit: Fit, field: string | null): Json {
  if (type === 'string' && /^-?\d+$/.test(digits)) {
    fit.repairs.add('coerced-by-schema')
    return digits
  }
  const value = Number(digits)
  if (rounds(digits, value)) fit.problem ??= unsafeNumber(field, digits, fit.place ?? start)
  return value
}

/** True where a double holds another integer than the digits say, or none. */
function rounds(digits: string, value: number): boolean {
  if (!Number.isFinite(value)) return true
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return false
  const integer = /^(-?\d+)(?:\.0+)?$/.exec(digits)?.[1]
  return integer !== undefined && BigInt(integer) !== BigInt(value)
}

function fitText(
  text: string,
  start: number,
  type: string | undefined,
  shape: Shape,
  fit: Fit,
  field: string | null,
): Json {
  if (type === 'number' || type === 'integer') {
    const value = Number(text)
    if (!Number.isFinite(value) || String(value) !== text) return text
    fit.repairs.add('coerced-by-schema')
    return value
  }
  if (type === 'boolean' && (text === 'true' || text === 'false')) {
    fit.repairs.add('coerced-by-schema')
    return text === 'true'
  }
  if ((type === 'object' || type === 'array') && fit.place === undefined) {
    const node = strictNode(text)
    if (node?.kind !== (type === 'array' ? 'list' : 'object')) return text
    fit.repairs.add('double-encoded')
    const inner: Fit = { repairs: fit.repairs, problem: null, place: start }
    const value = fitNode(node, shape, inner, field)
    fit.problem ??= inner.problem
    return value
  }
  return text
}
