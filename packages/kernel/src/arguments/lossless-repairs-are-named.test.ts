import { expect, test } from 'vitest'
import type { JsonObject } from '../content/json.js'
import { readArgumentText } from './read-arguments.js'

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
})

const note = object({ title: text, tags: { type: 'array', items: text }, size: integer, on: { type: 'boolean' } })

const read = (written: string, schema: JsonObject = note, finish: 'stop' | 'length' = 'stop') => {
  const reading = readArgumentText(written, schema, finish)
  return reading.ok
    ? { args: reading.args, repairs: reading.repairs }
    : { code: reading.problem.code, position: reading.problem.position }
}

test.each([
  ['{"title": "a"}', { title: 'a' }, []],
  ['\ufeff  {"title": "a"} ', { title: 'a' }, ['byte-order-mark']],
  ['```\n{"title": "a"}', { title: 'a' }, ['code-fence']],
  ['```json {"title": "a"} ```', { title: 'a' }, ['code-fence']],
  ['{"title": "a"}<|im_end|>\n</s>', { title: 'a' }, ['template-tokens']],
  ['```json\n{"title": "a",}\n```<|eot_id|>', { title: 'a' }, ['code-fence', 'template-tokens', 'trailing-comma']],
  ['{"title": "a" /* why */, // more\n}', { title: 'a' }, ['comments', 'trailing-comma']],
  [`{'title': 'it\\'s "so"'}`, { title: 'it\'s "so"' }, ['single-quotes']],
  ['{title: "a", $x_1: 1}', { title: 'a', $x_1: 1 }, ['unquoted-keys']],
  ['{"on": True, "title": None}', { on: true }, ['null-dropped', 'python-literals']],
  ['{“title”: “a\nb”}', { title: 'a\nb' }, ['control-characters', 'smart-quotes']],
  ['{"title"："a"，"size"：1}', { title: 'a', size: 1 }, ['cjk-punctuation']],
  ['{"title": "：，"}', { title: '：，' }, []],
  ['{"title": "a"}}]}', { title: 'a' }, ['surplus-closers']],
  ['"{\\"title\\": \\"a\\"}"', { title: 'a' }, ['double-encoded']],
  [`'{"title": "a"}'`, { title: 'a' }, ['double-encoded', 'single-quotes']],
  ['""', {}, ['empty-arguments']],
  ['None', {}, ['empty-arguments', 'python-literals']],
  ['null', {}, ['empty-arguments']],
  ['```json\n```', {}, ['code-fence', 'empty-arguments']],
  ['{"size": "12", "on": "true", "title": -7}', { size: 12, on: true, title: '-7' }, ['coerced-by-schema']],
  ['{"tags": "[\\"a\\"]"}', { tags: ['a'] }, ['double-encoded']],
  ['{"tags": [1]}', { tags: ['1'] }, ['coerced-by-schema']],
])('%s', (written, wanted, repairs) => {
  expect(read(written)).toEqual({ args: wanted, repairs })
})

test('a brace is added where everything that is declared is there, inside and outside', () => {
  const nested = object({ to: object({ name: text, city: text }), note: text })
  expect(read('{"note": "x", "to": {"name": "a", "city": "b"', nested)).toEqual({
    args: { note: 'x', to: { name: 'a', city: 'b' } },
    repairs: ['missing-closers'],
  })
  expect(read('{"note": "x", "to": {"name": "a"', nested)).toEqual({ code: 'truncated-output', position: 32 })
  expect(read('{"to": {"name": "a", "city": "b"', nested)).toEqual({ code: 'truncated-output', position: 32 })
  expect(read('{"note": "x", "to": {"name": "a", "city": "b"', nested, 'length')).toMatchObject({
    code: 'truncated-output',
  })
})

test.each([
  ['{"ids": [1, 2', 13],
  ['{"ids": [1, 2]', null],
  ['{"ids": [],', 11],
  ['{"ids": ', 7],
  ['{"ids"', 6],
  ['{"id', 4],
  ['{', 1],
])('a cut in %s is told with the end of the text', (written, position) => {
  const ids = object({ ids: { type: 'array', items: integer } })
  if (position === null) expect(read(written, ids)).toEqual({ args: { ids: [1, 2] }, repairs: ['missing-closers'] })
  else expect(read(written, ids)).toEqual({ code: 'truncated-output', position })
})

test('a schema by reference is followed, and one that admits several types changes nothing', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { $ref: '#/$defs/n' },
      b: { type: ['integer', 'string'] },
      c: { anyOf: [integer, { type: 'null' }] },
    },
    $defs: { n: integer },
  }
  expect(read('{"a": "5", "b": "5", "c": null}', schema)).toEqual({
    args: { a: 5, b: '5', c: null },
    repairs: ['coerced-by-schema'],
  })
})

test('null for an optional field with an enum of texts means that it is absent', () => {
  const schema = object({ unit: { enum: ['m', 'km'] }, any: {}, maybe: { enum: ['a', null] } })
  expect(read('{"unit": null, "any": null, "maybe": null}', schema)).toEqual({
    args: { any: null, maybe: null },
    repairs: ['null-dropped'],
  })
})

test('one number, boolean or object is a list of it, one text is not', () => {
  const list = (items: JsonObject) => object({ v: { type: 'array', items } })
  expect(read('{"v": 3}', list(integer))).toEqual({ args: { v: [3] }, repairs: ['coerced-by-schema'] })
  expect(read('{"v": false}', list({ type: 'boolean' }))).toEqual({
    args: { v: [false] },
    repairs: ['coerced-by-schema'],
  })
  expect(read('{"v": {"x": "1"}}', list(object({ x: integer })))).toEqual({
    args: { v: [{ x: 1 }] },
    repairs: ['coerced-by-schema'],
  })
  expect(read('{"v": "a"}', list(text))).toEqual({ args: { v: 'a' }, repairs: [] })
  expect(read('{"v": null}', list(integer))).toEqual({ args: {}, repairs: ['null-dropped'] })
})

test('a key that would change the prototype is a key like any other', () => {
  const { args } = read('{"__proto__": {"polluted": 1}, a: 1}') as { args: JsonObject }
  expect(Object.keys(args)).toEqual(['__proto__', 'a'])
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})
