import { createRequire } from 'node:module'
import type { Json, JsonObject } from '@tenon/kernel'
import type { Ajv, Options } from 'ajv'
import type { FormatsPlugin } from 'ajv-formats'
import { expect, test } from 'vitest'
import { ajvCompiler } from './ajv-compiler.js'
import { isPlainSchema } from './is-plain-schema.js'
import { SCHEMA_BOUNDS } from './schema-bounds.js'

const load = createRequire(import.meta.url)

/** The drafts that a plain schema is taken for one of, as ajv has them. */
const drafts = ['ajv', 'ajv/dist/2020'].map((draft) => {
  const { default: Compiler } = load(draft) as { default: new (options: Options) => Ajv }
  const compiler = new Compiler({ strict: false, validateSchema: false, logger: false })
  ;(load('ajv-formats') as { default: FormatsPlugin }).default(compiler)
  return compiler
})

/** What keywords may be given, right and wrong. */
const VALUES: readonly Json[] = [
  ...[true, false, null, 0, 1, -1, 2.5, 1e300, '', 'a', 'string', 'integer', 'dict', 'date-time', '^a+$', '(', '\\Z'],
  ...[[], {}, ['a'], ['a', 'a'], ['string', 'null'], ['string', 'string'], [1, '1', null], [{}], [{}, {}], [[]]],
  ...[{ type: 'string' }, { type: 'dict' }, { a: {} }, { a: { minLength: 1 } }, { a: { minLength: -1 } }, { a: 1 }],
  ...[[{ type: 'number' }], [{ type: 'dict' }], [true], { a: true }, { a: { $ref: '#' } }, { properties: { a: {} } }],
]
const KEYWORDS =
  'type properties required additionalProperties items enum const anyOf oneOf allOf not title description default examples format pattern minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems minProperties maxProperties uniqueItems readOnly writeOnly deprecated $ref $id $defs definitions dependencies prefixItems contains if'.split(
    ' ',
  )

test('what passes unexamined is accepted by both meta-schemas and compiles', () => {
  let plain = 0
  for (const keyword of KEYWORDS)
    for (const value of VALUES) {
      const schema: JsonObject = { type: 'object', [keyword]: value }
      if (!isPlainSchema(schema)) continue
      plain++
      for (const compiler of drafts) {
        expect(compiler.validateSchema(schema), JSON.stringify(schema)).toBe(true)
        expect(() => compiler.compile(structuredClone(schema)), JSON.stringify(schema)).not.toThrow()
      }
    }
  expect(plain).toBeGreaterThan(100)
})

test('the keywords mean the same in both drafts', () => {
  const values: readonly Json[] = [...VALUES, 'aaa', { a: 'a', b: 1 }, [1, 2, 3], ['a', 'b']]
  for (const keyword of KEYWORDS)
    for (const value of VALUES) {
      const schema: JsonObject = { [keyword]: value }
      if (!isPlainSchema(schema)) continue
      const [one, other] = drafts.map((compiler) => compiler.compile(structuredClone(schema)))
      for (const checked of values)
        expect(one?.(checked), `${JSON.stringify(schema)} of ${JSON.stringify(checked)}`).toBe(other?.(checked))
    }
})

test.each([
  [
    'what servers publish',
    { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { pattern: '^a' } } },
  ],
  ['of 2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: ['object', 'null'] }],
])('%s passes', (_, schema) => {
  expect(isPlainSchema(schema)).toBe(true)
})

test.each([
  ['a reference', { properties: { a: { $ref: '#/$defs/a' } } }],
  ['an id', { $id: 'https://example.com/tool' }],
  ['another draft', { $schema: 'http://json-schema.org/draft-06/schema#' }],
  ['a keyword that nobody knows', { type: 'string', nullable: true }],
  ['the tuple form', { items: [{ type: 'integer' }] }],
])('%s is examined', (_, schema) => {
  expect(isPlainSchema(schema as JsonObject)).toBe(false)
})

test('the largest one that is let in can be checked against', async () => {
  const properties = Object.fromEntries(Array.from({ length: SCHEMA_BOUNDS.nodes - 10 }, (_, i) => [`k${i}`, true]))
  const schema = { type: 'object', properties, additionalProperties: false }
  expect(isPlainSchema(schema)).toBe(true)
  expect(await ajvCompiler(schema).check({ k1: 1 })).toMatchObject({ ok: true })
  expect(await ajvCompiler(schema).check({ other: 1 })).toMatchObject({ ok: false })
})
