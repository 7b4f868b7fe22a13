/** A JSON value. Everything that enters the journal is one. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * One text for one value: object keys in code-unit order, no white space (the shape of RFC 8785).
 * Used wherever two values must be told apart or a decision is bound to a value.
 */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item as Json)).join(',')}]`
  const object = value as JsonObject
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`)
  return `{${members.join(',')}}`
}
