import type { Json, JsonObject } from '@tenon/kernel'
import { HostError } from '../errors.js'

/** Compiling turns a schema into code: what strangers send must not be able to make that code endless. */
export const SCHEMA_BOUNDS = { depth: 64, nodes: 20_000 } as const

/**
 * Walks a schema before anything is compiled from it.
 * @throws HostError `schema-invalid` when it is deeper or larger than SCHEMA_BOUNDS, is no JSON, holds a reference
 * that leaves the document, or asks for asynchronous validation.
 */
export function checkSchemaBounds(schema: JsonObject): void {
  let nodes = 0
  const walk = (value: Json, pointer: string, depth: number): void => {
    if (++nodes > SCHEMA_BOUNDS.nodes)
      throw invalid('', `it has more than ${SCHEMA_BOUNDS.nodes} parts; offer a smaller schema`)
    if (depth > SCHEMA_BOUNDS.depth)
      throw invalid(pointer, `it is nested deeper than ${SCHEMA_BOUNDS.depth} levels; move parts into $defs`)
    if (typeof value === 'number' && !Number.isFinite(value)) throw invalid(pointer, `${value} is not JSON`)
    if (typeof value !== 'object') {
      if (value === undefined || typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
        throw invalid(pointer, `a ${typeof value} is not JSON`)
      return
    }
    if (value === null) return
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item, `${pointer}/${index}`, depth + 1)
      return
    }
    const object = value as JsonObject
    if (object.$async === true) throw invalid(pointer, '$async is not part of JSON Schema')
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const target = object[keyword]
      if (typeof target === 'string' && leavesDocument(target))
        throw invalid(
          `${pointer}/${keyword}`,
          `${JSON.stringify(target)} leads out of the document and is not fetched; copy its target into $defs`,
        )
    }
    for (const key of Object.keys(object)) walk(object[key] as Json, `${pointer}/${escapeKey(key)}`, depth + 1)
  }
  walk(schema, '', 0)
}

export function invalid(pointer: string, reason: string, cause?: unknown): HostError {
  const place = pointer === '' ? 'at its top' : `at ${pointer}`
  return new HostError('schema-invalid', `The schema cannot be used: ${place}, ${reason}.`, {
    detail: { path: pointer, reason },
    ...(cause === undefined ? {} : { cause }),
  })
}

export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** The published meta-schemas ship with the compiler: a schema for schemas may refer to them. */
const leavesDocument = (target: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(target) && !/^https?:\/\/json-schema\.org\//.test(target) && !/^urn:/i.test(target)
