import { expect, test } from 'vitest'
import type { JsonObject } from '../content/json.js'
import { readArgumentText } from './read-arguments.js'

const schema: JsonObject = {
  type: 'object',
  properties: { a: { type: 'string' }, n: { type: 'integer' }, free: {} },
  required: ['a'],
}

const problemOf = (written: string) => {
  const reading = readArgumentText(written, schema)
  if (reading.ok) throw new Error(`read as ${JSON.stringify(reading.args)}`)
  return reading.problem
}

test.each([
  ['{"a": "x\\qy"}', 'invalid-json', 8, 'escape'],
  ['{"a": "x\\u12G4"}', 'invalid-json', 8, 'escape'],
  ['{"a": "x\\\'y"}', 'invalid-json', 8, 'escape'],
  ['{"a": "x\u0001"}', 'invalid-json', 8, 'control'],
  ['{"a": say "x"}', 'invalid-json', 6, '"a"'],
  ['{"a": "say "x""}', 'invalid-json', 12, '"a"'],
  ['{"a": “x"}', 'invalid-json', 8, 'JSON'],
  ['{"a": "x" "n": 1}', 'invalid-json', 10, 'JSON'],
  ['{"a" "x"}', 'invalid-json', 5, 'JSON'],
  ['{"a": , "n": 1}', 'invalid-json', 6, 'JSON'],
  ['{"a": "x",, "n": 1}', 'invalid-json', 10, 'JSON'],
  ['{, "a": "x"}', 'invalid-json', 1, 'JSON'],
  ['{"a": NaN}', 'invalid-json', 6, 'JSON'],
  ['{"a": undefined}', 'invalid-json', 6, 'JSON'],
  ['{"n": -Infinity}', 'invalid-json', 7, 'JSON'],
  ['{"n": .5}', 'invalid-json', 6, 'JSON'],
  ['{"n": +5}', 'invalid-json', 6, 'JSON'],
  ['{"n": 1.}', 'invalid-json', 8, 'JSON'],
  ['{"n": 01}', 'invalid-json', 7, 'JSON'],
  ['{"n": 0x1F}', 'invalid-json', 7, 'JSON'],
  ['{"n": 1_000}', 'invalid-json', 7, 'JSON'],
  ['{"a": "x", ...}', 'invalid-json', 11, 'JSON'],
  ['{"a": "x"} # done', 'text-around-json', 11, 'JSON'],
  ['"a": "x"}', 'invalid-json', 3, 'JSON'],
  ['{"a": "x", all-day: 1}', 'invalid-json', 14, 'JSON'],
  ['{"a": (1)}', 'invalid-json', 6, 'JSON'],
  ['{"a": ["x"}', 'invalid-json', 10, 'JSON'],
  ['Sure: {"a": "x"}', 'text-around-json', 0, 'JSON'],
  ['```json\n{"a": "x"}\n```\nDone.', 'text-around-json', 23, 'JSON'],
  ['{"a": "x"} {"a": "y"}', 'multiple-values', 11, 'one call'],
  ['{"a": "x"} null', 'multiple-values', 11, 'one call'],
  ['{"a": "x", "free": {"k": 1, "k": 2}}', 'duplicate-key', 28, '"k"'],
  ["{'a': 'x', a: 'y'}", 'duplicate-key', 11, '"a"'],
  ['{"free": [9007199254740993]}', 'unsafe-number', 10, '9007199254740993'],
  ['{"free": 1e999}', 'unsafe-number', 9, '1e999'],
  ['[{"a": "x"}]', 'not-an-object', 0, 'a (string, required)'],
  ['5', 'not-an-object', 0, 'object'],
  ['"plain words"', 'not-an-object', 0, 'object'],
  ['"\\"{}\\""', 'not-an-object', 0, 'object'],
  [`${'['.repeat(100_000)}`, 'invalid-json', 512, 'deep'],
])('%.60s goes back as %s', (written, code, position, word) => {
  const problem = problemOf(written)
  expect({ code: problem.code, position: problem.position }).toEqual({ code, position })
  expect(problem.message).toContain(word)
  expect(problem.message).toContain(String(position))
})

test('integers that a double holds exactly are taken, however long', () => {
  const reading = readArgumentText('{"a": "x", "free": [9007199254740992, 10000000000000000, 0.1, -0, 1e21]}', schema)
  expect(reading).toMatchObject({ ok: true, args: { free: [9007199254740992, 10000000000000000, 0.1, -0, 1e21] } })
})

test('a problem in a text that was decoded is told with the place of that text', () => {
  const written = '{"a": "x", "free": 1, "o": 2}'
  const whole = readArgumentText(JSON.stringify('{"a": "x", "a": "y"}'), schema)
  expect(whole).toMatchObject({ ok: false, problem: { code: 'duplicate-key', position: 0 } })
  expect(readArgumentText(written, schema)).toMatchObject({ ok: true })
})
