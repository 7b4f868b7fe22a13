import type { Json } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { chatStream, fragment, namedSse, readWire } from '../../test/support/read-wire.js'

function argsOf(pieces: readonly Json[], word = 'tool_calls') {
  const [first, ...rest] = pieces
  const head = fragment({ index: 0, id: 'c', name: 'f', ...(first === undefined ? {} : { args: first }) })
  const read = readWire({
    body: chatStream([head, ...rest.map((args) => fragment({ index: 0, args }))], word),
    tools: ['f'],
  })
  const [block] = read.blocks
  if (block?.kind !== 'tool-call') throw new Error('no call')
  return {
    args: block.args,
    problem: block.problem?.code,
    position: block.problem?.position,
    diagnostics: read.diagnostics,
  }
}

test.each([
  ['blank text', ['  \n'], 'args-empty'],
  ['nothing', [], 'args-empty'],
  ['the text null', ['null'], 'args-null'],
  ['the value null', [null], 'args-null'],
])('%s is an empty object', (_, pieces, diagnostic) => {
  expect(argsOf(pieces)).toMatchObject({ args: {}, problem: undefined, diagnostics: [diagnostic] })
})

test('an object in the place of a text is itself', () => {
  expect(argsOf([{ a: 1 }])).toMatchObject({ args: { a: 1 }, diagnostics: ['args-object'] })
})

test('a text in a text that holds an object is that object', () => {
  expect(argsOf([JSON.stringify('{"a":1}')])).toMatchObject({ args: { a: 1 }, diagnostics: ['args-double-encoded'] })
  expect(argsOf([JSON.stringify('no object')])).toMatchObject({
    problem: 'args-malformed',
    diagnostics: ['args-malformed'],
  })
})

test('a whole object that begins with what came before takes its place', () => {
  expect(argsOf(['{"a":', '1}', '{"a":1}'])).toMatchObject({ args: { a: 1 }, diagnostics: ['args-repeated'] })
  expect(argsOf(['{"a":', '{"a":1}'])).toMatchObject({ args: { a: 1 }, diagnostics: ['args-repeated'] })
  expect(argsOf(['{"a":1}', '{"a":2}'])).toMatchObject({ problem: 'args-malformed', position: 7 })
})

test.each(['[1,2]', '7', 'true', '{"a":1,}', '{"a":1} trailing'])('%s is malformed', (text) => {
  expect(argsOf([text])).toMatchObject({ args: {}, problem: 'args-malformed', diagnostics: ['args-malformed'] })
})

test('only the last call of a turn that was cut is told as cut', () => {
  const deltas = [
    fragment({ index: 0, id: 'a', name: 'f', args: '{"x":' }),
    fragment({ index: 1, id: 'b', name: 'f', args: '{"y":' }),
  ]
  const read = readWire({ body: chatStream(deltas, 'length'), tools: ['f'] })
  expect(read.blocks).toMatchObject([
    { problem: { code: 'args-malformed', position: 5 } },
    { problem: { code: 'args-truncated', position: 5 } },
  ])
  expect(read.diagnostics).toEqual(['args-malformed', 'args-truncated'])
  expect(argsOf(['{"x":'], 'content_filter')).toMatchObject({ problem: 'args-malformed' })
  expect(argsOf(['{"x":'], 'error')).toMatchObject({ problem: 'args-truncated' })
})

test('anthropic: deltas take the place of what the start had, blank ones leave it', () => {
  const stream = (input: Json, ...deltas: string[]) =>
    namedSse(
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'f', input } },
      ...deltas.map((partial_json) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    )
  const read = (input: Json, ...deltas: string[]) => {
    const { blocks, diagnostics } = readWire({
      dialect: 'anthropic-messages',
      body: stream(input, ...deltas),
      tools: ['f'],
    })
    const [block] = blocks
    return { args: block?.kind === 'tool-call' ? block.args : undefined, diagnostics }
  }
  expect(read({ a: 1 })).toEqual({ args: { a: 1 }, diagnostics: [] })
  expect(read({ a: 1 }, '', ' ')).toEqual({ args: { a: 1 }, diagnostics: [] })
  expect(read({ a: 1 }, '{"b"', ':2}')).toEqual({ args: { b: 2 }, diagnostics: [] })
  expect(read('{"a":1}')).toEqual({ args: { a: 1 }, diagnostics: ['args-double-encoded'] })
  expect(read('{"a":1}', '{"b":2}')).toEqual({ args: { b: 2 }, diagnostics: [] })
  expect(read(null)).toEqual({ args: {}, diagnostics: ['args-null'] })
})

test('halves of a pair join across pieces, a half that stays alone is replaced and told', () => {
  const joined = chatStream([{ content: 'a\ud83d' }, { content: '\ude00b' }])
  expect(readWire({ body: joined })).toMatchObject({ blocks: [{ text: 'a😀b' }], diagnostics: [] })
  const alone = chatStream([{ content: 'a\ud83d' }, { content: 'b' }])
  expect(readWire({ body: alone })).toMatchObject({ blocks: [{ text: 'a\ufffdb' }], diagnostics: ['lone-surrogate'] })
  expect(argsOf(['{"a":"\\ud83d"}'])).toMatchObject({ args: { a: '\ufffd' }, diagnostics: ['lone-surrogate'] })
  expect(argsOf(['{"a":[1,{"\\ud83d":"\\udc00"}]}'])).toMatchObject({ args: { a: [1, { '\ufffd': '\ufffd' }] } })
  expect(argsOf(['{"a":"\ud83d', '\ude00"}'])).toMatchObject({ args: { a: '😀' }, diagnostics: [] })
})
