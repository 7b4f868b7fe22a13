import type { Json, JsonObject } from '../content/json.js'
import type { MaybePromise } from './maybe-promise.js'

/** One thing that is wrong with a value: `/items/0/qty`, `must be integer`. The path is a JSON pointer. */
export type SchemaProblem = { readonly path: string; readonly message: string }

export type Checked =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] }

/**
 * A shape that values are checked against. `json` is what a model is shown; `check` decides, and may return a value
 * with defaults filled in. Neither throws.
 */
export type Schema = {
  readonly json: JsonObject
  check(value: Json): MaybePromise<Checked>
}

/** Makes a schema from JSON Schema. @throws TenonError `schema-invalid` with the place and the reason. */
export type SchemaCompiler = (schema: JsonObject) => Schema
