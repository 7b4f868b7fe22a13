import type { Checked, Json, JsonObject, MaybePromise, Schema, SchemaProblem } from '@tenon/kernel'
import { isPromise } from '@tenon/kernel'
import { HostError } from '../errors.js'
import { escapeKey } from './schema-bounds.js'

/**
 * The part of Standard Schema v1 (and of Standard JSON Schema v1) that is used here, by structure: zod, valibot,
 * arktype and others fit without being known.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardOutcome<Output> | Promise<StandardOutcome<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> }
  }
}

type StandardOutcome<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

type StandardIssue = {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export type InferOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']

export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const standard = (value as { '~standard'?: { version?: unknown; validate?: unknown } })['~standard']
  return standard?.version === 1 && typeof standard.validate === 'function'
}

/** The same schema, for a library that cannot say its JSON Schema: `json` is what a model is shown. */
export function withJsonSchema<Input, Output>(
  schema: StandardSchema<Input, Output>,
  json: JsonObject,
): StandardSchema<Input, Output> {
  return Object.freeze({ '~standard': { ...schema['~standard'], jsonSchema: { input: () => ({ ...json }) } } })
}

/**
 * A Standard Schema as the kernel takes it. `check` gives the value back as it came, since what a transform makes of
 * it need not be JSON: `parseStandard` gives that.
 * @throws HostError `schema-not-shown` when its library cannot say its JSON Schema: `withJsonSchema` says it then
 */
export function fromStandardSchema(schema: StandardSchema): Schema {
  const json = shownForm(schema)
  return Object.freeze({
    json,
    check(value: Json): MaybePromise<Checked> {
      const parsed = parseStandard(schema, value)
      const finish = (outcome: Parsed<unknown>): Checked => (outcome.ok ? { ok: true, value } : outcome)
      return isPromise(parsed) ? parsed.then(finish) : finish(parsed)
    },
  })
}

export type Parsed<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] }

/** What the library makes of a value: defaults, transforms and all. Does not throw. */
export function parseStandard<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): MaybePromise<Parsed<Output>> {
  const failed = (error: unknown): Parsed<Output> => ({
    ok: false,
    problems: [{ path: '', message: `cannot be checked: ${error instanceof Error ? error.message : 'unknown error'}` }],
  })
  try {
    const outcome = schema['~standard'].validate(value)
    return isPromise(outcome) ? outcome.then(read, failed) : read(outcome)
  } catch (error) {
    return failed(error)
  }
}

function read<Output>(outcome: StandardOutcome<Output>): Parsed<Output> {
  if (outcome.issues === undefined) return { ok: true, value: outcome.value }
  return {
    ok: false,
    problems: outcome.issues.map((issue) => ({ path: pointer(issue.path ?? []), message: issue.message })),
  }
}

const pointer = (path: NonNullable<StandardIssue['path']>): string =>
  path.map((part) => `/${escapeKey(String(typeof part === 'object' ? part.key : part))}`).join('')

function shownForm(schema: StandardSchema): JsonObject {
  const { vendor, jsonSchema } = schema['~standard']
  const own = schema as { toJSONSchema?: unknown; toJsonSchema?: unknown }
  try {
    if (jsonSchema !== undefined) return tidy(jsonSchema.input({ target: 'draft-2020-12' }))
    if (typeof own.toJSONSchema === 'function') return tidy(own.toJSONSchema({ io: 'input' }))
    if (typeof own.toJsonSchema === 'function') return tidy(own.toJsonSchema())
  } catch (error) {
    throw notShown(vendor, error instanceof Error ? error.message : 'it could not be converted', error)
  }
  throw notShown(vendor, 'this version of the library cannot say its JSON Schema')
}

const notShown = (vendor: string, reason: string, cause?: unknown): HostError =>
  new HostError(
    'schema-not-shown',
    `A model cannot be shown this ${vendor} schema: ${reason.replace(/\.$/, '')}. ` +
      'Give the JSON Schema beside it: withJsonSchema(schema, { type: "object", … }).',
    { cause },
  )

/** Leaves out what costs tokens and says nothing: the draft's name, and bounds that every JSON integer keeps. */
function tidy(json: Record<string, unknown>): JsonObject {
  const { $schema: _, ...rest } = json
  return withoutSafeBounds(rest as JsonObject) as JsonObject
}

function withoutSafeBounds(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutSafeBounds)
  const kept = Object.entries(value).filter(
    ([key, item]) =>
      !(key === 'maximum' && item === Number.MAX_SAFE_INTEGER) &&
      !(key === 'minimum' && item === Number.MIN_SAFE_INTEGER),
  )
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutSafeBounds(item)]))
}
