import type { JsonObject } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { ajvCompiler } from './ajv-compiler.js'

const refusal = (schema: unknown): unknown => {
  try {
    ajvCompiler(schema as JsonObject)
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return { code, message }
  }
  return 'accepted'
}

test.each([
  ['a Python type name', { type: 'object', properties: { a: { type: 'dict' } } }, '/properties/a/type'],
  ['required as a boolean', { properties: { a: { type: 'string', required: true } } }, '/properties/a/required'],
  ['a negative length', { type: 'string', minLength: -1 }, '/minLength'],
  ['a reference to another document', { $ref: 'https://example.com/a.json' }, '/$ref'],
  ['a file reference', { properties: { a: { $ref: 'file:///etc/passwd' } } }, '/properties/a/$ref'],
  ['a draft that is not spoken', { $schema: 'http://json-schema.org/draft-04/schema#' }, '/$schema'],
  ['asynchronous validation', { $async: true, type: 'object' }, 'at its top'],
  ['a function', { type: 'object', default: () => 1 }, '/default'],
])('%s', (_name, schema, place) => {
  expect(refusal(schema)).toMatchObject({ code: 'schema-invalid', message: expect.stringContaining(place) })
})

test('a dangling reference inside the document', () => {
  expect(refusal({ $ref: '#/$defs/nowhere' })).toMatchObject({
    code: 'schema-invalid',
    message: expect.stringContaining('#/$defs/nowhere'),
  })
})

test('a schema that is nested without end', () => {
  let schema: JsonObject = { type: 'string' }
  for (let i = 0; i < 100; i++) schema = { not: schema }
  expect(refusal(schema)).toMatchObject({ code: 'schema-invalid', message: expect.stringContaining('deeper than 64') })
})

test('a schema with too many parts', () => {
  const properties = Object.fromEntries(Array.from({ length: 25_000 }, (_, i) => [`k${i}`, true]))
  expect(refusal({ properties })).toMatchObject({ code: 'schema-invalid', message: expect.stringContaining('20000') })
})

test('draft-07 and the tuple form without a draft are read as they are meant', async () => {
  const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'integer' }] }
  for (const schema of [draft7, { items: [{ type: 'integer' }] }]) {
    expect(await ajvCompiler(schema).check([1, 'x'])).toMatchObject({ ok: true })
    expect(await ajvCompiler(schema).check(['x'])).toMatchObject({ ok: false })
  }
})

test('two schemas with one $id do not meet', async () => {
  const one = ajvCompiler({ $id: 'https://example.com/tool', type: 'string' })
  const two = ajvCompiler({ $id: 'https://example.com/tool', type: 'integer' })
  expect(await one.check('a')).toMatchObject({ ok: true })
  expect(await two.check('a')).toMatchObject({ ok: false })
})

test('the same schema is compiled once, whoever brings it', () => {
  expect(ajvCompiler({ type: 'object', minProperties: 3 })).toBe(ajvCompiler({ minProperties: 3, type: 'object' }))
})

test('a pattern that backtracks without end is a problem of the value, not a hanging process', async () => {
  const checked = await ajvCompiler({ type: 'string', pattern: '^(a+)+$' }).check(`${'a'.repeat(60)}!`)
  expect(checked).toEqual({
    ok: false,
    problems: [{ path: '', message: 'cannot be checked: the schema takes too long on it' }],
  })
})

test('a schema that doubles itself at each level is stopped', async () => {
  const schema = ajvCompiler({
    $defs: {
      node: { type: 'object', properties: { a: { allOf: [{ $ref: '#/$defs/node' }, { $ref: '#/$defs/node' }] } } },
    },
    $ref: '#/$defs/node',
  })
  let value: JsonObject = {}
  for (let i = 0; i < 60; i++) value = { a: value }
  expect(await schema.check(value)).toMatchObject({
    ok: false,
    problems: [{ message: 'cannot be checked: the schema takes too long on it' }],
  })
  expect(await schema.check({ a: { a: {} } })).toMatchObject({ ok: true })
})

test('a value nested deeper than the stack is a problem of the value', async () => {
  const schema = ajvCompiler({ type: 'array', items: { $ref: '#' } })
  let value: unknown = []
  for (let i = 0; i < 100_000; i++) value = [value]
  expect(await schema.check(value as never)).toMatchObject({ ok: false })
})
