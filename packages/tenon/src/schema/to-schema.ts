import { isJsonObject, type JsonObject, type Schema } from '@tenon/kernel'
import { ajvCompiler } from './ajv-compiler.js'
import { invalid } from './schema-bounds.js'
import { fromStandardSchema, isStandardSchema, type StandardSchema } from './standard-schema.js'

/** Every way to state a shape: JSON Schema as data, any Standard Schema, or the kernel's own form. */
export type SchemaInput = JsonObject | StandardSchema | Schema

/** @throws HostError `schema-invalid`, `schema-not-shown` */
export function toSchema(input: SchemaInput): Schema {
  if (isStandardSchema(input)) return fromStandardSchema(input)
  if (isSchema(input)) return input
  if (isJsonObject(input)) return ajvCompiler(input)
  throw invalid('', `${input === null ? 'null' : typeof input} is neither JSON Schema nor a Standard Schema`)
}

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Schema>).check === 'function' &&
  'json' in value

/** JSON Schema that is compiled when the first value comes: for our own, which the tests have checked. */
export function deferredSchema(json: JsonObject): Schema {
  return Object.freeze({ json: Object.freeze(json), check: (value) => ajvCompiler(json).check(value) } satisfies Schema)
}
