import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import {
  type Checked,
  canonicalJson,
  type Json,
  type JsonObject,
  type Schema,
  type SchemaCompiler,
} from '@tenon/kernel'
import type { Ajv, AnySchema, Options, ValidateFunction } from 'ajv'
import type { FormatsPlugin } from 'ajv-formats'
import { explainProblems } from './explain-problems.js'
import { guardedPattern } from './guarded-pattern.js'
import { isPlainSchema } from './is-plain-schema.js'
import { checkSchemaBounds, invalid } from './schema-bounds.js'
import { OutOfTime, withinTime } from './within-time.js'

type Draft = keyof typeof COMPILERS

const KEPT = 1_000
const CHECK_MS = 500
const kept = new Map<string, Schema>()
const known = new WeakMap<JsonObject, Schema>()
const compilers = new Map<Draft, Ajv>()
const require = createRequire(import.meta.url)

type CompilerModule = { readonly default: new (options: Options) => Ajv }

/** Loaded when first needed, for it takes its time. Written out, so that the command can have them bundled. */
const COMPILERS = {
  ajv: () => require('ajv') as CompilerModule,
  'ajv/dist/2019': () => require('ajv/dist/2019') as CompilerModule,
  'ajv/dist/2020': () => require('ajv/dist/2020') as CompilerModule,
}

/**
 * JSON Schema 2020-12 (also 2019-09 and draft-07, by `$schema` or by their older array forms) through ajv. A schema
 * that was compiled before is found by the digest of its canonical text. Unknown keywords and formats are let pass.
 * @throws HostError `schema-invalid` with the place and the reason
 */
export const ajvCompiler: SchemaCompiler = (schema) => {
  const same = known.get(schema)
  if (same !== undefined) return same
  checkSchemaBounds(schema)
  const digest = createHash('sha256').update(canonicalJson(schema)).digest('base64')
  let compiled = kept.get(digest)
  if (compiled === undefined) {
    compiled = isPlainSchema(schema) ? compile('ajv/dist/2020', schema) : examined(schema)
    const oldest = kept.size >= KEPT ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(digest, compiled)
  }
  known.set(schema, compiled)
  return compiled
}

function examined(schema: JsonObject): Schema {
  const draft = draftOf(schema)
  const shared = sharedCompiler(draft)
  if (shared.validateSchema(schema as AnySchema) !== true) {
    const [first] = explainProblems(shared.errors ?? [])
    throw invalid(first?.path ?? '', first?.message ?? 'it is not JSON Schema')
  }
  return compile(draft, schema)
}

function compile(draft: Draft, schema: JsonObject): Schema {
  const shared = sharedCompiler(draft)
  // Ids are global to a compiler: two tools, or a tool and a meta-schema, must not meet under one.
  const compiler = holds(schema, (object) => typeof object.$id === 'string') ? newCompiler(draft) : shared
  let validate: ValidateFunction
  try {
    validate = compiler.compile(schema as AnySchema)
  } catch (error) {
    throw invalid('', error instanceof Error ? error.message : 'it cannot be compiled', error)
  } finally {
    if (compiler === shared) shared.removeSchema(schema as AnySchema)
  }
  const fillsIn = holds(schema, (object) => 'default' in object)
  // A schema that refers to itself or twice to one part can be made to take exponential time.
  const isGuarded = holds(schema, (object) => '$ref' in object || '$dynamicRef' in object || '$recursiveRef' in object)
  const run = isGuarded ? (value: Json) => withinTime(CHECK_MS, () => validate(value)) : validate
  return Object.freeze({ json: schema, check: (value: Json) => check(validate, run, value, fillsIn) })
}

function check(validate: ValidateFunction, run: (value: Json) => unknown, given: Json, fillsIn: boolean): Checked {
  try {
    // Defaults are written into the value, which may be frozen and is not ours.
    const value = fillsIn ? structuredClone(given) : given
    if (run(value) === true) return { ok: true, value }
    return { ok: false, problems: explainProblems(validate.errors ?? []) }
  } catch (error) {
    const why = error instanceof OutOfTime ? 'the schema takes too long on it' : 'it is nested too deeply'
    return { ok: false, problems: [{ path: '', message: `cannot be checked: ${why}` }] }
  } finally {
    validate.errors = null
  }
}

function holds(value: Json, wanted: (object: JsonObject) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (!Array.isArray(value) && wanted(value as JsonObject)) return true
  return Object.values(value).some((item) => holds(item, wanted))
}

function draftOf(schema: JsonObject): Draft {
  const declared = schema.$schema
  if (typeof declared === 'string') {
    if (declared.includes('2020-12')) return 'ajv/dist/2020'
    if (declared.includes('2019-09')) return 'ajv/dist/2019'
    if (/draft-0[67]/.test(declared)) return 'ajv'
    throw invalid('/$schema', `${JSON.stringify(declared)} is not one of draft-06, draft-07, 2019-09 and 2020-12`)
  }
  // `items` as a list is the tuple form before 2020-12.
  return holds(schema, (object) => Array.isArray(object.items)) ? 'ajv' : 'ajv/dist/2020'
}

function sharedCompiler(draft: Draft): Ajv {
  let compiler = compilers.get(draft)
  if (compiler === undefined) {
    compiler = newCompiler(draft)
    compilers.set(draft, compiler)
  }
  return compiler
}

function newCompiler(draft: Draft): Ajv {
  const { default: Compiler } = COMPILERS[draft]()
  const compiler = new Compiler({
    strict: false,
    allErrors: true,
    verbose: true,
    useDefaults: true,
    validateSchema: false,
    inlineRefs: false,
    logger: false,
    code: { regExp: Object.assign((source: string) => guardedPattern(source), { code: 'guardedPattern' }) },
  })
  ;(require('ajv-formats') as { default: FormatsPlugin }).default(compiler)
  if (draft === 'ajv') compiler.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'))
  return compiler
}
