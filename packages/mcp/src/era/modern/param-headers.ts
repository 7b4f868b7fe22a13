import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { headerValue } from './header-value.js'

/** An argument that is mirrored into a header: where it stands, and the rest of `Mcp-Param-…`. */
export type ParamHeader = { readonly path: readonly string[]; readonly header: string }

export type ParamHeaders =
  | { readonly ok: true; readonly headers: readonly ParamHeader[] }
  /** The definition breaks a rule of SEP-2243 and must not be offered. */
  | { readonly ok: false; readonly reason: string }

const MARK = 'x-mcp-header'
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const ONE = ['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'propertyNames']
const MANY = ['prefixItems', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', ...ONE]
const NAMED = ['patternProperties', 'dependentSchemas', '$defs', 'definitions']
const MAX_DEPTH = 64

/** The `x-mcp-header` marks of an input schema. They may stand on plain properties only. */
export function paramHeaders(schema: JsonObject): ParamHeaders {
  const headers: ParamHeader[] = []
  const seen = new Set<string>()
  const visit = (node: Json | undefined, path: readonly string[], reachable: boolean): string | undefined => {
    if (!isJsonObject(node) || path.length > MAX_DEPTH) return undefined
    if (MARK in node) {
      const fault = faultOf(node, path, reachable, seen)
      if (fault !== undefined) return `${path.join('.') || 'the schema itself'}: ${fault}`
      headers.push({ path, header: String(node[MARK]) })
    }
    if (isJsonObject(node.properties))
      for (const [name, child] of Object.entries(node.properties)) {
        const fault = visit(child, [...path, name], reachable)
        if (fault !== undefined) return fault
      }
    for (const child of elsewhere(node)) {
      const fault = visit(child, [...path, '?'], false)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  const reason = visit(schema, [], true)
  return reason === undefined ? { ok: true, headers } : { ok: false, reason }
}

/** `Mcp-Param-…` for the arguments of one call. What is absent or null has no header. */
export function headersOfArguments(marks: readonly ParamHeader[], args: JsonObject): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { path, header } of marks) {
    let value: Json | undefined = args
    for (const key of path) value = isJsonObject(value) ? value[key] : undefined
    const usable =
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      (typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)))
    if (usable) found[`mcp-param-${header.toLowerCase()}`] = headerValue(String(value))
  }
  return found
}

function faultOf(node: JsonObject, path: readonly string[], reachable: boolean, seen: Set<string>): string | undefined {
  const name = node[MARK]
  if (!reachable || path.length === 0) return `${MARK} may stand on plain properties only`
  if (typeof name !== 'string' || !TOKEN.test(name)) return `${MARK} is no header name`
  if (node.type !== 'string' && node.type !== 'integer' && node.type !== 'boolean')
    return `${MARK} may stand on a string, an integer or a boolean only`
  if (seen.has(name.toLowerCase())) return `${MARK} "${name}" is there twice`
  seen.add(name.toLowerCase())
  return undefined
}

function elsewhere(node: JsonObject): readonly (Json | undefined)[] {
  return [
    ...MANY.flatMap((key) => {
      const child = node[key]
      return Array.isArray(child) ? child : [child]
    }),
    ...NAMED.flatMap((key) => {
      const child = node[key]
      return isJsonObject(child) ? Object.values(child) : []
    }),
  ]
}
