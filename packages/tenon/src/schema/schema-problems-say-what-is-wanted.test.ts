import type { Json, JsonObject } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { ajvCompiler } from './ajv-compiler.js'

async function problems(schema: JsonObject, value: Json): Promise<string[]> {
  const checked = await ajvCompiler(schema).check(value)
  return checked.ok ? [] : checked.problems.map((problem) => `${problem.path} ${problem.message}`)
}

const order: JsonObject = {
  type: 'object',
  properties: {
    size: { enum: ['small', 'large'] },
    items: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', properties: { qty: { type: 'integer' } }, required: ['qty'] },
    },
    'a/b': { type: 'boolean' },
  },
  required: ['size'],
  additionalProperties: false,
}

test('a value that fits has no problems', async () => {
  expect(await problems(order, { size: 'small', items: [{ qty: 1 }] })).toEqual([])
})

test('an enum names the allowed values', async () => {
  expect(await problems(order, { size: 'huge' })).toEqual(['/size must be one of "small", "large"'])
})

test('an extra key names the known ones', async () => {
  expect(await problems(order, { size: 'small', colour: 1 })).toEqual([
    '/colour is not a known key; known keys: size, items, a/b',
  ])
})

test('a missing key is named at its own place, a wrong type with what it is', async () => {
  expect(await problems(order, { items: [{}, { qty: '2' }], 'a/b': null })).toEqual([
    '/size is missing',
    '/items/0/qty is missing',
    '/items/1/qty must be integer, is the text "2"',
    '/a~1b must be boolean, is null',
  ])
})

test('a choice of types reads as one sentence', async () => {
  expect(await problems({ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5)).toEqual([
    ' must be string or null, is number 5',
  ])
  const byReference = { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }], $defs: { a: { type: 'string' } } }
  expect(await problems(byReference, 5)).toEqual([' must be string or null, is number 5'])
})

test('a choice of shapes reports the branch that came nearest', async () => {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      shape: {
        anyOf: [
          { type: 'string' },
          { type: 'object', properties: { radius: { type: 'number' } }, required: ['radius'] },
        ],
      },
    },
  }
  expect(await problems(schema, { shape: { radius: 'wide' } })).toEqual([
    '/shape/radius must be number, is the text "wide"',
  ])
})

test('a hundred problems are told in nine lines', async () => {
  const many = await problems({ type: 'array', items: { type: 'integer' } }, Array(100).fill('x'))
  expect(many).toHaveLength(9)
  expect(many[8]).toBe(' has 92 more problems')
})

test('defaults are filled into a copy, the value itself stays as it was', async () => {
  const value = Object.freeze({ a: 1 })
  const schema = ajvCompiler({ type: 'object', properties: { b: { type: 'integer', default: 7 } } })
  expect(await schema.check(value)).toEqual({ ok: true, value: { a: 1, b: 7 } })
  expect(value).toEqual({ a: 1 })
})
