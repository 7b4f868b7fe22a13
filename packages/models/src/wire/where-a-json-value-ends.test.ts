import { expect, test } from 'vitest'
import { jsonExtent } from './json-extent.js'

const VALUES = [
  '{}',
  '[]',
  '{"a":[1,-2.5e+3,{"b":"x\\"y\\\\\\u00e9"}],"c":null,"":true}',
  '"a\\nb"',
  '[[[[]]]]',
  '[0,false,"",{"a":{}}]',
]

test.each(VALUES)('%s ends where it ends, whatever follows', (value) => {
  for (const after of ['', ' ', '{}', ' x', '}'])
    expect(jsonExtent(` \n${value}${after}`)).toEqual({ kind: 'whole', end: value.length + 2 })
})

test.each(VALUES)('every head of %s is open', (value) => {
  for (let length = 0; length < value.length; length++)
    expect(jsonExtent(value.slice(0, length)), value.slice(0, length)).toEqual({ kind: 'open', end: length })
})

test.each([
  ['{a:1}', 1],
  ['{"a" 1}', 5],
  ['{"a":1,}', 7],
  ['[1,]', 3],
  ['[1 2]', 3],
  ['{"a":01}', 6],
  ['["\\x"]', 2],
  ['["a\nb"]', 3],
  ['nope', 0],
  ['}', 0],
  ["{'a':1}", 1],
  ['[tru]', 1],
])('%s is broken at %i', (text, end) => {
  expect(jsonExtent(text)).toEqual({ kind: 'broken', end })
})

test('nesting of any depth is no matter', () => {
  const deep = '['.repeat(300_000)
  expect(jsonExtent(deep)).toEqual({ kind: 'open', end: deep.length })
  expect(jsonExtent(deep + ']'.repeat(300_000)).kind).toBe('whole')
})
