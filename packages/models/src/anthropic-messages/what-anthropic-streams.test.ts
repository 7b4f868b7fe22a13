import type { Json } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { namedSse, readEvents, readWire, sse } from '../../test/support/read-wire.js'

type Event = { readonly type: string; readonly [key: string]: Json }

const start: Event = {
  type: 'message_start',
  message: { model: 'served', usage: { input_tokens: 5, output_tokens: 1 } },
}
const end = (stop_reason: string | null, more: object = {}): Event[] => [
  { type: 'message_delta', delta: { stop_reason, ...more }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
]
const block = (index: number, content_block: Json, ...deltas: Json[]): Event[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta): Event => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const text = (said: string): Json => ({ type: 'text_delta', text: said })
const read = (...events: Event[]) =>
  readWire({ dialect: 'anthropic-messages', body: namedSse(...events), tools: ['f.g'] })

test('the end is a stop reason; message_stop alone is none', () => {
  const said = block(0, { type: 'text', text: '' }, text('a'))
  expect(read(start, ...said, ...end('end_turn'))).toMatchObject({ finish: 'stop', diagnostics: [] })
  expect(read(start, ...said, ...end(null))).toMatchObject({ finish: 'truncated', error: { code: 'stream-truncated' } })
  expect(read(start, ...said, ...end('max_tokens').slice(0, 1))).toMatchObject({
    finish: 'length',
    diagnostics: ['done-missing'],
  })
})

test('[DONE] after the end, as proxies send it, is nothing odd', () => {
  const body = namedSse(start, ...end('end_turn')) + sse('[DONE]')
  expect(readWire({ dialect: 'anthropic-messages', body })).toMatchObject({ finish: 'stop', diagnostics: [] })
})

test('blocks of every kind keep their place, empty ones go unless they are sealed', () => {
  const outcome = read(
    start,
    ...block(0, { type: 'text', text: '' }),
    ...block(1, { type: 'thinking', thinking: '', signature: '' }, { type: 'signature_delta', signature: 's' }),
    ...block(2, { type: 'thinking', thinking: '' }),
    ...block(3, { type: 'text', text: 'be' }, text('gun')),
    ...block(
      4,
      { type: 'server_tool_use', id: 'x', name: 'web', input: {} },
      { type: 'input_json_delta', partial_json: '{"q":1}' },
    ),
    ...end('end_turn'),
  )
  expect(outcome).toMatchObject({
    blocks: [
      { kind: 'reasoning', text: '', seal: 'signature', raw: { type: 'thinking', thinking: '', signature: 's' } },
      { kind: 'text', text: 'begun' },
      { kind: 'opaque', type: 'server_tool_use', raw: { input: { q: 1 } } },
    ],
    diagnostics: [],
  })
})

test('blocks that arrive crossed come out in the order of their indexes', () => {
  const [open0, close0] = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_stop', index: 0 },
  ]
  const first: Event = { type: 'content_block_delta', index: 0, delta: text('a') }
  const outcome = read(
    start,
    open0,
    ...block(1, { type: 'text', text: '' }, text('b')),
    first,
    close0,
    ...end('end_turn'),
  )
  expect(outcome.blocks).toMatchObject([{ text: 'a' }, { text: 'b' }])
})

test('unknown events and deltas are told and passed over', () => {
  const outcome = read(
    start,
    { type: 'hologram', data: 1 },
    ...block(0, { type: 'text', text: '' }, text('a'), { type: 'hologram_delta', x: 1 }),
    ...end('end_turn'),
  )
  expect(outcome).toMatchObject({ blocks: [{ text: 'a' }], finish: 'stop', diagnostics: ['unknown-event'] })
})

test('an explanation makes stop a refusal and is a text for people', () => {
  const outcome = read(start, ...end('end_turn', { stop_details: { explanation: 'Not this.' } }))
  expect(outcome).toMatchObject({ finish: 'refusal', blocks: [{ text: 'Not this.', refusal: true }], diagnostics: [] })
})

test('names, ids and cut inputs are read as in the other dialects', () => {
  const call = (index: number, id: string, input: string): Event[] =>
    block(index, { type: 'tool_use', id, name: 'f_g', input: {} }, { type: 'input_json_delta', partial_json: input })
  const outcome = read(
    start,
    ...call(0, 'same', '{}'),
    ...call(1, 'same', '{"a":'),
    ...call(2, '', '{"b":'),
    ...end('max_tokens'),
  )
  expect(outcome.blocks).toMatchObject([
    { name: 'f.g', alias: 'same' },
    { name: 'f.g', problem: { code: 'args-malformed' } },
    { name: 'f.g', problem: { code: 'args-truncated' } },
  ])
  expect(outcome.blocks[1]).not.toHaveProperty('alias')
  expect(outcome.diagnostics).toEqual([
    'args-malformed',
    'args-truncated',
    'tool-id-duplicate',
    'tool-id-missing',
    'tool-name-mapped',
  ])
})

test('usage adds the cache beside the input and names what was thought', () => {
  const usage = { input_tokens: 1, cache_read_input_tokens: 2, cache_creation_input_tokens: 3, output_tokens: 4 }
  const whole = (more: object) =>
    readWire({
      dialect: 'anthropic-messages',
      stream: false,
      body: JSON.stringify({ content: [], stop_reason: 'end_turn', usage: { ...usage, ...more } }),
    }).usage
  expect(whole({})).toEqual({ input: 1, cachedInput: 2, cacheWrite: 3, output: 4, reasoning: null })
  expect(whole({ output_tokens_details: { thinking_tokens: 2 } })).toMatchObject({ reasoning: 2 })
  expect(whole({ cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 2 } })).toMatchObject({
    cacheWrite: 3,
    cacheWrite1h: 2,
  })
})

test('a block is given out as soon as it is whole', () => {
  const events = readEvents({
    dialect: 'anthropic-messages',
    body: namedSse(
      start,
      ...block(0, { type: 'text', text: '' }, text('a')),
      ...block(1, { type: 'text', text: '' }, text('b')),
    ),
  })
  expect(events.map(({ kind }) => kind)).toEqual([
    ...['block-began', 'delta', 'block-ended'],
    ...['block-began', 'delta', 'block-ended'],
    'finished',
  ])
  expect(events.at(-1)).toMatchObject({ servedBy: 'served' })
})
