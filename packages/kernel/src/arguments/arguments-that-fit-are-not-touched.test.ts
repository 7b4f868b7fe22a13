import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../content/json.js'
import type { Checked, Schema } from '../ports/schema.js'
import { losslessParse } from './lossless-parse.js'
import { readArguments } from './read-arguments.js'

const json: JsonObject = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
}

/** Holds `n` to an integer below 10 and knows no other key. */
function check(value: Json): Checked {
  const { n, ...extra } = value as { n?: Json }
  const problems = Object.keys(extra).map((key) => ({ path: `/${key}`, message: 'is not allowed' }))
  if (!Number.isInteger(n)) problems.push({ path: '/n', message: 'must be integer' })
  else if (Number(n) >= 10) problems.push({ path: '/n', message: 'must be less than 10' })
  return problems.length === 0 ? { ok: true, value } : { ok: false, problems }
}

const tool = (input: Partial<Schema> = {}) => ({ name: 'count', input: { json, check, ...input } })

test('what fits is given as it is, whatever the schema could have made of it', () => {
  expect(readArguments('{"n": 3}', tool())).toEqual({ ok: true, args: { n: 3 }, repairs: [] })
  const value = { n: 3 }
  expect(readArguments(value, tool())).toMatchObject({ ok: true, args: value })
})

test('a value that was put into its type must still fit', () => {
  expect(readArguments('{"n": "3"}', tool())).toEqual({ ok: true, args: { n: 3 }, repairs: ['coerced-by-schema'] })
  expect(readArguments({ n: '3' }, tool())).toEqual({ ok: true, args: { n: 3 }, repairs: ['coerced-by-schema'] })
  const refused = readArguments('{"n": "12"}', tool())
  expect(refused).toMatchObject({ ok: false, problem: { code: 'schema-mismatch', position: null } })
})

test('a mismatch tells every problem, the extra keys and the fields', () => {
  const refused = readArguments('{"m": 1, "x": 2}', tool())
  if ('then' in refused || refused.ok) throw new Error('was taken')
  for (const word of ['count', '/n: must be integer', '"m"', '"x"', 'n (integer, required)']) {
    expect(refused.problem.message).toContain(word)
  }
})

test('a check that takes time is waited for, on both ways', async () => {
  const later = { check: (value: Json) => Promise.resolve(check(value)) }
  expect(await readArguments('{"n": 3}', tool(later))).toEqual({ ok: true, args: { n: 3 }, repairs: [] })
  expect(await readArguments("{'n': 3}", tool(later))).toEqual({ ok: true, args: { n: 3 }, repairs: ['single-quotes'] })
})

test('defaults that the check fills in reach the hand', () => {
  const filling = { check: (value: Json): Checked => ({ ok: true, value: { ...(value as JsonObject), unit: 'm' } }) }
  expect(readArguments('{"n": 3}', tool(filling))).toMatchObject({ args: { n: 3, unit: 'm' } })
  expect(readArguments('{n: 3}', tool(filling))).toMatchObject({ args: { n: 3, unit: 'm' } })
})

test.each([
  ['{"a": 1, "a": 2}', undefined],
  ['{"a": {"b": 1, "b": 2}}', undefined],
  ['{"a": 9007199254740993}', undefined],
  ['{"a": 1e999}', undefined],
  ['{"a": ', undefined],
  ['{"a:b\\"": "x:y\\\\", "c": [{"d": 1.5}]}', { 'a:b"': 'x:y\\', c: [{ d: 1.5 }] }],
  ['[true, false, null, "9007199254740993"]', [true, false, null, '9007199254740993']],
])('%s is parsed at once only where nothing can be lost', (text, value) => {
  expect(losslessParse(text)).toEqual(value)
})
