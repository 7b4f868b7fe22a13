import type { Json } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { ModelsError } from '../errors.js'
import { readToolDefinition } from './tool-schema.js'

const read = (parameters: Json) => {
  const { tool, changes } = readToolDefinition({ name: 'a.b', description: 'c', parameters })
  return [tool.input, changes]
}
const field = (schema: Json) => {
  const { tool, changes } = readToolDefinition({ name: 'a', parameters: { type: 'object', properties: { x: schema } } })
  return [(tool.input.properties as { x: Json }).x, changes]
}

test('what is JSON Schema already stays as it is', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: ['string', 'null'], enum: ['x', null] }, b: { $ref: '#/$defs/n' } },
    required: ['a'],
    additionalProperties: false,
    $defs: { n: { type: 'integer', minimum: 1, default: 3 } },
  }
  expect(read(schema)).toEqual([schema, []])
})

test.each<[Json, Json, string[]]>([
  [{ type: 'float' }, { type: 'number' }, ['type-renamed']],
  [
    { type: 'dict', properties: { a: { type: 'str' } } },
    { type: 'object', properties: { a: { type: 'string' } } },
    ['type-renamed'],
  ],
  [{ type: 'any', description: 'd' }, { description: 'd' }, ['type-renamed']],
  [{ type: 'tuple', items: { type: 'float' } }, { type: 'array', items: { type: 'number' } }, ['type-renamed']],
  [{ type: 'List[int]' }, { type: 'array', items: { type: 'integer' } }, ['type-renamed']],
  [{ type: 'Optional[str]' }, { type: ['string', 'null'] }, ['type-renamed']],
  [
    { type: 'STRING', nullable: true },
    { type: ['string', 'null'] },
    ['keyword-dropped', 'nullable-folded', 'type-renamed'],
  ],
  [{ type: 'array' }, { type: 'array', items: {} }, ['items-added']],
  [
    { type: 'array', items: [{ type: 'int' }] },
    { type: 'array', prefixItems: [{ type: 'integer' }] },
    ['type-renamed'],
  ],
  [{ type: 'integer', enum: ['1', '2'] }, { type: 'integer', enum: [1, 2] }, ['enum-retyped']],
  [
    { type: 'integer', enum: ['1', 'dontcare'], default: 'dontcare' },
    { enum: [1, 'dontcare'], default: 'dontcare' },
    ['enum-retyped'],
  ],
  [{ type: 'boolean', default: 'False' }, { type: 'boolean', default: false }, ['default-retyped']],
  [{ type: 'integer', default: '5 years' }, { type: 'integer' }, ['default-dropped']],
  [{ type: 'string', enum: ['a'], default: 'General' }, { type: 'string', enum: ['a'] }, ['default-dropped']],
  [{ type: 'string', optional: true }, { type: 'string' }, ['keyword-dropped']],
  [{ properties: { a: true } }, { type: 'object', properties: { a: {} } }, []],
])('%j', (written, wanted, changes) => {
  expect(field(written)).toEqual([wanted, changes])
})

test('a truth value for required is lifted to the object', () => {
  expect(
    read({ type: 'object', properties: { a: { type: 'string', required: true }, b: { required: false } } }),
  ).toEqual([{ type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] }, ['required-lifted']])
})

test('a tool without parameters takes none', () => {
  expect(read(null)).toEqual([{ type: 'object', properties: {} }, []])
  expect(readToolDefinition({ name: 'a', input_schema: { type: 'object' } }).tool.input).toEqual({ type: 'object' })
})

test.each<[Json, string]>([
  ['text', 'an object with name'],
  [{ parameters: {} }, '/name'],
  [{ name: ' ' }, '/name'],
  [{ name: 'a', parameters: [] }, 'must be an object'],
  [{ name: 'a', parameters: { type: 'array' } }, '/type'],
  [{ name: 'a', parameters: { properties: { x: { type: 'widget' } } } }, '/properties/x/type'],
  [{ name: 'a', parameters: { properties: { 'x/y': 5 } } }, '/properties/x~1y'],
  [{ name: 'a', parameters: { properties: [] } }, '/properties'],
  [{ name: 'a', parameters: { required: 'x' } }, '/required'],
  [{ name: 'a', parameters: { required: [1] } }, '/required'],
  [{ name: 'a', parameters: { properties: { x: { enum: [] } } } }, '/properties/x/enum'],
  [{ name: 'a', parameters: { properties: { x: { anyOf: {} } } } }, '/properties/x/anyOf'],
])('%j is refused by name, with its place', (written, place) => {
  expect(() => readToolDefinition(written)).toThrow(ModelsError)
  expect(() => readToolDefinition(written)).toThrow(expect.objectContaining({ code: 'tool-schema-invalid' }))
  expect(() => readToolDefinition(written)).toThrow(place)
})

test('a definition that never ends is refused', () => {
  let deep: Json = { type: 'string' }
  for (let i = 0; i < 100; i++) deep = { type: 'object', properties: { x: deep } }
  expect(() => read(deep)).toThrow('64 levels')
})
