import type { Json } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { grammarSchema, withoutAbsent } from './grammar-schema.js'

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', pattern: '^[A-Z]' },
    days: { type: 'integer', minimum: 1 },
    note: { type: ['string', 'null'] },
    where: { $ref: '#/$defs/place' },
    tags: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] }, maxItems: 3 },
    free: {},
  },
  required: ['city'],
  $defs: { place: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x'] } },
} as const

test('a property that may be absent may be null, since a grammar asks for every property', () => {
  expect(grammarSchema(schema)).toMatchObject({
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { oneOf: [{ type: 'integer' }, { type: 'null' }] },
      note: { oneOf: [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'null' }] },
      where: {
        oneOf: [
          {
            type: 'object',
            properties: { x: { type: 'number' }, y: { oneOf: [{ type: 'number' }, { type: 'null' }] } },
          },
          { type: 'null' },
        ],
      },
      tags: {
        oneOf: [
          { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] }, maxItems: 3 },
          { type: 'null' },
        ],
      },
    },
  })
})

test('such nulls are taken out again, those that the schema means stay', () => {
  const said: Json = { city: 'Oslo', days: null, note: null, where: { x: 1, y: null }, tags: null, free: null }
  expect(withoutAbsent(said, schema)).toEqual({ city: 'Oslo', note: null, where: { x: 1 } })
})

test('a required null stays for the broker to judge', () => {
  expect(withoutAbsent({ city: null }, schema)).toEqual({ city: null })
})

test('a schema that refers to itself ends', () => {
  const list = { type: 'object', properties: { next: { $ref: '#' } } } as const
  expect(JSON.stringify(grammarSchema(list)).length).toBeLessThan(20_000)
})
