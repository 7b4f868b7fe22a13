import { expect, test } from 'vitest'
import { chatStream, fragment, readWire, sse } from '../../test/support/read-wire.js'

const call = fragment({ index: 0, id: 'c1', name: 'look', args: '{"a":1}' })
const half = fragment({ index: 0, id: 'c1', name: 'look', args: '{"a":' })
const said = { content: 'Hi' }
const chunk = (delta: object, word: string | null) => ({ choices: [{ index: 0, delta, finish_reason: word }] }) as never

test.each([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['content_filter', 'content-filter'],
  ['sensitive', 'content-filter'],
  ['refusal', 'refusal'],
  ['pause_turn', 'paused'],
])('%s is %s', (word, finish) => {
  expect(readWire({ body: chatStream([said], word) })).toMatchObject({ finish, diagnostics: [] })
})

test.each(['tool_calls', 'function_call', 'tool_use'])('%s with a call is tool-calls', (word) => {
  expect(readWire({ body: chatStream([call], word), tools: ['look'] })).toMatchObject({
    finish: 'tool-calls',
    diagnostics: [],
  })
})

test.each(['error', 'network_error'])('%s is an error of the server', (word) => {
  expect(readWire({ body: chatStream([said], word) })).toMatchObject({
    finish: 'error',
    blocks: [{ text: 'Hi' }],
    error: { code: 'server-error', retryable: true },
  })
})

test('another word is stop, and calls are still calls', () => {
  expect(readWire({ body: chatStream([said], 'eos') })).toMatchObject({
    finish: 'stop',
    diagnostics: ['finish-unknown'],
  })
  expect(readWire({ body: chatStream([call], 'eos') })).toMatchObject({
    finish: 'tool-calls',
    diagnostics: ['finish-unknown'],
  })
})

test('an empty word is none, and of two the first counts', () => {
  const body = sse(chunk(said, ''), chunk({}, 'length'), chunk({}, 'stop'), '[DONE]')
  expect(readWire({ body })).toMatchObject({ finish: 'length', diagnostics: ['finish-repeated'] })
})

test('[DONE] without a word is stop, but not while the JSON of a call is open', () => {
  expect(readWire({ body: chatStream([said], null) })).toMatchObject({
    finish: 'stop',
    diagnostics: ['finish-missing'],
  })
  expect(readWire({ body: chatStream([call], null) })).toMatchObject({
    finish: 'tool-calls',
    diagnostics: ['finish-missing'],
  })
  expect(readWire({ body: chatStream([half], null) })).toMatchObject({
    finish: 'truncated',
    diagnostics: ['args-truncated'],
    error: { code: 'stream-truncated' },
  })
})

test('a word without [DONE] is an end', () => {
  expect(readWire({ body: sse(chunk(said, 'stop')) })).toMatchObject({ finish: 'stop', diagnostics: ['done-missing'] })
})

test('the word is set right by what the turn holds', () => {
  expect(readWire({ body: chatStream([call], 'stop') })).toMatchObject({
    finish: 'tool-calls',
    diagnostics: ['finish-corrected'],
  })
  expect(readWire({ body: chatStream([said], 'tool_calls') })).toMatchObject({
    finish: 'stop',
    diagnostics: ['finish-corrected'],
  })
  expect(readWire({ body: chatStream([call], 'length') })).toMatchObject({ finish: 'length', diagnostics: [] })
})

test('a refusal text makes stop a refusal, in pieces too', () => {
  const body = chatStream([{ refusal: 'I will ' }, { refusal: 'not.' }])
  expect(readWire({ body })).toMatchObject({
    finish: 'refusal',
    blocks: [{ kind: 'text', text: 'I will not.', refusal: true }],
    diagnostics: [],
  })
})

test('an answer that holds nothing is an end like another: the engine asks again', () => {
  expect(readWire({ body: chatStream([{ role: 'assistant', content: '' }]) })).toMatchObject({
    blocks: [],
    finish: 'stop',
    diagnostics: [],
  })
})

test('an error in the stream ends it, whatever was said before', () => {
  const late = { error: { message: 'Overloaded', code: 529 } }
  expect(readWire({ body: sse(chunk(said, 'stop'), late, '[DONE]') })).toMatchObject({
    finish: 'error',
    blocks: [{ text: 'Hi' }],
    error: { code: 'overloaded' },
  })
  const beside = {
    ...(chunk({ content: ' there' }, 'error') as object),
    error: { code: 502, message: 'gone' },
  } as never
  expect(readWire({ body: sse(chunk(said, null), beside) })).toMatchObject({
    finish: 'error',
    blocks: [{ text: 'Hi there' }],
    error: { code: 'server-error' },
  })
})
