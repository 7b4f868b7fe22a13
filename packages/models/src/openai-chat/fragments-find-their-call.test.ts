import type { Json } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { chatStream, fragment, readWire } from '../../test/support/read-wire.js'

const tools = ['add', 'add_all', 'files.search', 'files.read']

function calls(deltas: readonly Json[], offered: readonly string[] = tools) {
  const read = readWire({ body: chatStream(deltas, 'tool_calls'), tools: offered })
  const found = read.blocks.flatMap((block) =>
    block.kind === 'tool-call'
      ? [[block.alias ?? null, block.name, block.problem === undefined ? block.args : null]]
      : [],
  )
  return { found, diagnostics: read.diagnostics }
}

test('another id with a name at a used index begins a call, another id alone changes nothing', () => {
  const deltas = [
    fragment({ index: 0, id: 'a', name: 'add', args: '{"x":' }),
    fragment({ index: 0, id: 'z', args: '1}' }),
    fragment({ index: 0, id: 'b', name: 'add', args: '{"x":2' }),
    fragment({ index: 0, args: '}' }),
  ]
  expect(calls(deltas)).toEqual({
    found: [
      ['a', 'add', { x: 1 }],
      ['b', 'add', { x: 2 }],
    ],
    diagnostics: ['tool-id-changed', 'tool-index-reused'],
  })
})

test('an id that comes late is the id', () => {
  const deltas = [fragment({ index: 0, name: 'add', args: '{}' }), fragment({ index: 0, id: 'late' })]
  expect(calls(deltas)).toEqual({ found: [['late', 'add', {}]], diagnostics: [] })
})

test('without an index the id decides, and with neither id nor name the last call', () => {
  const deltas = [
    fragment({ id: 'a', name: 'add', args: '{"x":' }),
    fragment({ id: 'b', name: 'add', args: '{"x":2' }),
    fragment({ id: 'a', args: '1}' }),
    fragment({ args: '}' }),
  ]
  expect(calls(deltas)).toEqual({
    found: [
      ['a', 'add', { x: 1 }],
      ['b', 'add', { x: 2 }],
    ],
    diagnostics: ['tool-index-missing'],
  })
})

test('calls without index and id are told apart by their names', () => {
  const deltas = [fragment({ name: 'add', args: '{"x":1}' }), fragment({ name: 'add', args: '{"x":2}' })]
  expect(calls(deltas)).toEqual({
    found: [
      [null, 'add', { x: 1 }],
      [null, 'add', { x: 2 }],
    ],
    diagnostics: ['tool-id-missing', 'tool-index-missing'],
  })
})

test('indexes need not begin at 0, and empty and null ids and names are none', () => {
  const nothing = { tool_calls: [{ index: 4, id: null, function: { name: null, arguments: '{"x":1}' } }] }
  const deltas = [
    fragment({ index: 4, id: 'a', name: 'add', args: '' }),
    nothing,
    fragment({ index: 4, id: '', name: '' }),
  ]
  expect(calls(deltas)).toEqual({ found: [['a', 'add', { x: 1 }]], diagnostics: [] })
})

test('an id seen before in the turn is nobody’s', () => {
  const deltas = [
    fragment({ index: 0, id: 'same', name: 'add', args: '{"x":1}' }),
    fragment({ index: 1, id: 'same', name: 'add', args: '{"x":2}' }),
  ]
  expect(calls(deltas)).toEqual({
    found: [
      ['same', 'add', { x: 1 }],
      [null, 'add', { x: 2 }],
    ],
    diagnostics: ['tool-id-duplicate'],
  })
})

test('a second piece of a name is added only where it leads to a tool and no arguments came', () => {
  const split = [fragment({ index: 0, id: 'a', name: 'add' }), fragment({ index: 0, name: '_all', args: '{}' })]
  expect(calls(split)).toEqual({ found: [['a', 'add_all', {}]], diagnostics: ['tool-name-split'] })
  const late = [
    fragment({ index: 0, id: 'a', name: 'add', args: '{' }),
    fragment({ index: 0, name: '_all', args: '}' }),
  ]
  expect(calls(late)).toEqual({ found: [['a', 'add', {}]], diagnostics: ['tool-name-repeated'] })
  const odd = [fragment({ index: 0, id: 'a', name: 'add' }), fragment({ index: 0, name: '_none', args: '{}' })]
  expect(calls(odd)).toEqual({ found: [['a', 'add', {}]], diagnostics: ['tool-name-repeated'] })
})

test('pieces of a name may be those of the name as it was sent', () => {
  const deltas = [fragment({ index: 0, id: 'a', name: 'files_' }), fragment({ index: 0, name: 'read', args: '{}' })]
  expect(calls(deltas)).toEqual({
    found: [['a', 'files.read', {}]],
    diagnostics: ['tool-name-mapped', 'tool-name-split'],
  })
})

test('a name that two tools could have is nobody’s', () => {
  const deltas = [fragment({ index: 0, id: 'a', name: 'a_b', args: '{}' })]
  expect(calls(deltas, ['a.b', 'a/b']).found).toEqual([['a', 'a_b', {}]])
  expect(calls(deltas, ['a.b', 'a_b'])).toEqual({ found: [['a', 'a_b', {}]], diagnostics: [] })
})

test('the old field streams too, and stands back where the new one has the calls', () => {
  const old = [
    { function_call: { name: 'add' } },
    { function_call: { arguments: '{"x"' } },
    { function_call: { arguments: ':1}' } },
  ]
  expect(calls(old)).toEqual({
    found: [[null, 'add', { x: 1 }]],
    diagnostics: ['legacy-function-call', 'tool-id-missing'],
  })
})

test('a call whose first fragment is empty is none', () => {
  expect(calls([fragment({ index: 0 }), fragment({ index: 1, id: 'b', name: 'add', args: '{}' })])).toEqual({
    found: [['b', 'add', {}]],
    diagnostics: [],
  })
})

test('an entry of a whole message is a call of its own, whatever its index says', () => {
  const entry = (id: string, x: number) => ({ id, index: 0, function: { name: 'add', arguments: `{"x":${x}}` } })
  const message = { tool_calls: [entry('a', 1), entry('b', 2)] }
  const body = JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] })
  const read = readWire({ body, stream: false, tools })
  expect(read.blocks).toMatchObject([
    { alias: 'a', args: { x: 1 } },
    { alias: 'b', args: { x: 2 } },
  ])
  expect(read.diagnostics).toEqual([])
})

test('text on both sides of a call makes three blocks, a call that goes on stays where it began', () => {
  const deltas = [
    { content: 'a' },
    fragment({ index: 0, id: 'c', name: 'add', args: '{"x":' }),
    { content: 'b' },
    fragment({ index: 0, args: '1}' }),
    { content: 'c' },
  ]
  const { blocks } = readWire({ body: chatStream(deltas, 'tool_calls'), tools })
  expect(blocks).toMatchObject([{ text: 'a' }, { kind: 'tool-call', args: { x: 1 } }, { text: 'bc' }])
})
