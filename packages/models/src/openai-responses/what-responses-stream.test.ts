import type { Json, JsonObject } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { namedSse, readWire } from '../../test/support/read-wire.js'

type Event = { readonly type: string; readonly [key: string]: Json }

const read = (...events: Event[]) => readWire({ dialect: 'openai-responses', body: namedSse(...events), tools: ['f'] })
const completed = (output: Json, more: object = {}): Event => ({
  type: 'response.completed',
  response: { status: 'completed', output, ...more },
})
const added = (output_index: number, item: JsonObject): Event => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const done = (output_index: number, item: JsonObject): Event => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const say = (output_index: number, content_index: number, delta: string): Event => ({
  type: 'response.output_text.delta',
  output_index,
  content_index,
  delta,
})
const call = (id: string, args: string): JsonObject => ({
  id: `fc_${id}`,
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: args,
})
const message = (...texts: string[]): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: texts.map((text) => ({ type: 'output_text', text, annotations: [] })),
})

test('each part is a block, in the order of the items', () => {
  const outcome = read(
    added(0, message()),
    added(1, call('b', '')),
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"x":1}' },
    done(1, call('b', '{"x":1}')),
    say(0, 1, 'two'),
    say(0, 0, 'one'),
    done(0, message('one', 'two')),
    completed([message('one', 'two'), call('b', '{"x":1}')]),
  )
  expect(outcome).toMatchObject({
    blocks: [{ text: 'one' }, { text: 'two' }, { kind: 'tool-call', alias: 'b', args: { x: 1 } }],
    finish: 'tool-calls',
    diagnostics: [],
  })
})

test('the text of a done event goes before the deltas', () => {
  const outcome = read(
    added(0, message()),
    say(0, 0, 'on'),
    { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'once' },
    completed([]),
  )
  expect(outcome).toMatchObject({
    blocks: [{ text: 'once' }],
    diagnostics: ['output-missing-in-final'],
  })
})

test('items that only the final output has are taken from it', () => {
  const outcome = read(completed([message('a'), call('c', '{}')]))
  expect(outcome).toMatchObject({ blocks: [{ text: 'a' }, { alias: 'c' }], finish: 'tool-calls', diagnostics: [] })
})

test('without completed, incomplete or failed the stream was cut, and open calls with it', () => {
  const outcome = read(added(0, call('a', '')), {
    type: 'response.function_call_arguments.delta',
    output_index: 0,
    delta: '{"x',
  })
  expect(outcome).toMatchObject({
    blocks: [{ alias: 'a', problem: { code: 'args-truncated' } }],
    finish: 'truncated',
    diagnostics: ['args-truncated'],
    error: { code: 'stream-truncated' },
  })
})

test.each([
  ['max_output_tokens', 'length', []],
  ['content_filter', 'content-filter', []],
  ['solar_flare', 'stop', ['finish-unknown']],
])('incomplete by %s is %s', (reason, finish, diagnostics) => {
  const response = { status: 'incomplete', output: [message('a')], incomplete_details: { reason } }
  expect(read({ type: 'response.incomplete', response })).toMatchObject({
    finish,
    diagnostics,
    blocks: [{ text: 'a' }],
  })
  const whole = readWire({ dialect: 'openai-responses', stream: false, body: JSON.stringify(response) })
  expect(whole).toMatchObject({ finish, diagnostics })
})

test('a failed response is its error, streamed or whole', () => {
  const response = { status: 'failed', output: [], error: { code: 'server_error', message: 'x' } }
  expect(read({ type: 'response.failed', response })).toMatchObject({
    finish: 'error',
    error: { code: 'server-error' },
  })
  const whole = readWire({ dialect: 'openai-responses', stream: false, body: JSON.stringify(response) })
  expect(whole).toMatchObject({ finish: 'error', error: { code: 'server-error' } })
  expect(read({ type: 'error', code: 'rate_limit_exceeded', message: 'x', param: null })).toMatchObject({
    finish: 'error',
    error: { code: 'rate-limited' },
  })
})

test('arrival counts, not the sequence number', () => {
  const outcome = read(
    { ...added(0, message()), sequence_number: 4 },
    { ...say(0, 0, 'a'), sequence_number: 4 },
    { ...say(0, 0, 'b'), sequence_number: 3 },
    { ...completed([message('ab')]), sequence_number: 9 },
  )
  expect(outcome).toMatchObject({ blocks: [{ text: 'ab' }], diagnostics: ['sequence-out-of-order'] })
})

test('a missing item id is told and not made up; a missing call id is ours', () => {
  const item = { type: 'function_call', name: 'f', arguments: '{}' }
  const outcome = read(added(0, item), done(0, item), completed([item]))
  expect(outcome.diagnostics).toEqual(['item-id-missing', 'tool-id-missing'])
  const [block] = outcome.blocks
  expect(block).not.toHaveProperty('alias')
  expect(block?.raw).toEqual(item)
})

test('events without a place are about the item of their id, else the last one', () => {
  const outcome = read(
    { type: 'response.output_item.added', item: call('a', '') },
    { type: 'response.output_item.added', item: call('b', '') },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_a', delta: '{"x":1}' },
    { type: 'response.function_call_arguments.delta', delta: '{"x":2}' },
    completed([call('a', '{"x":1}'), call('b', '{"x":2}')]),
  )
  expect(outcome).toMatchObject({
    blocks: [
      { alias: 'a', args: { x: 1 } },
      { alias: 'b', args: { x: 2 } },
    ],
    diagnostics: [],
  })
})

test('items that only their provider understands are kept whole, their events are no surprise', () => {
  const search = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'q' } }
  const outcome = read(
    added(0, { id: 'ws_1', type: 'web_search_call', status: 'in_progress' }),
    { type: 'response.web_search_call.searching', output_index: 0, item_id: 'ws_1' },
    done(0, search),
    { type: 'response.hologram.delta', output_index: 0, delta: 'x' },
    completed([search]),
  )
  expect(outcome).toMatchObject({
    blocks: [{ kind: 'opaque', type: 'web_search_call', raw: search }],
    finish: 'stop',
    diagnostics: ['unknown-event'],
  })
})

test('annotations are citations, an unknown part is told', () => {
  const cited = { type: 'output_text', text: 'a', annotations: [{ type: 'url_citation', url: 'https://example.org' }] }
  const item = { id: 'm', type: 'message', role: 'assistant', content: [cited, { type: 'hologram' }] }
  const outcome = readWire({
    dialect: 'openai-responses',
    stream: false,
    body: JSON.stringify({ status: 'completed', output: [item] }),
  })
  expect(outcome.blocks).toMatchObject([{ text: 'a', citations: [{ type: 'url_citation' }] }])
  expect(outcome.diagnostics).toEqual(['unknown-part'])
})

test('annotations that come as events alone are citations too', () => {
  const outcome = read(
    added(0, message()),
    say(0, 0, 'a'),
    { type: 'response.output_text.annotation.added', output_index: 0, content_index: 0, annotation: { type: 'x' } },
    completed([]),
  )
  expect(outcome).toMatchObject({
    blocks: [{ text: 'a', citations: [{ type: 'x' }] }],
    diagnostics: ['output-missing-in-final'],
  })
})

test('a thought is read from its own text, else from its summary', () => {
  const thought = (item: JsonObject) =>
    read(added(0, { id: 'rs', type: 'reasoning' }), done(0, { id: 'rs', type: 'reasoning', ...item }), completed([]))
      .blocks
  expect(thought({ content: [{ type: 'reasoning_text', text: 'own' }], summary: [{ text: 'short' }] })).toMatchObject([
    { text: 'own', seal: 'none' },
  ])
  expect(thought({ summary: [{ text: 'a' }, { text: 'b' }], encrypted_content: 'x' })).toMatchObject([
    { text: 'a\n\nb', seal: 'encrypted' },
  ])
  expect(thought({ summary: [] })).toEqual([])
})
