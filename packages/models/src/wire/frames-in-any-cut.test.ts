import { expect, test } from 'vitest'
import { chatStream, namedSse, readWire, sse } from '../../test/support/read-wire.js'

const hello = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] }
const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('lines end in %s', (_, end) => {
  const read = readWire({ body: sse(hello, stop, '[DONE]').replaceAll('\n', end) })
  expect(read).toMatchObject({ blocks: [{ kind: 'text', text: 'Hi' }], finish: 'stop', diagnostics: [] })
})

test('line ends of all kinds stand in one stream', () => {
  const body = `data: ${JSON.stringify(hello)}\r\n\ndata: ${JSON.stringify(stop)}\r\rdata: [DONE]\n\r\n`
  expect(readWire({ body })).toMatchObject({ finish: 'stop', diagnostics: [] })
})

test('data in several lines is one text with line feeds', () => {
  const body =
    'data: {"choices":[{"index":0,\ndata:"delta":{"content":"a"},\ndata: "finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
  expect(readWire({ body })).toMatchObject({ blocks: [{ text: 'a' }], finish: 'stop', diagnostics: [] })
})

test('a field without a colon and unknown fields are nothing', () => {
  const body = `data\nid: 7\nretry: 10\nfoo: bar\n\n${sse(hello, stop, '[DONE]')}`
  expect(readWire({ body })).toMatchObject({ blocks: [{ text: 'Hi' }], finish: 'stop', diagnostics: [] })
})

test('a comment wrapped in data is told and passed over', () => {
  const body = `data: : ping\n\n${sse(hello)}data::keep\n\n${sse(stop, '[DONE]')}`
  expect(readWire({ body })).toMatchObject({
    blocks: [{ text: 'Hi' }],
    finish: 'stop',
    diagnostics: ['comment-as-data'],
  })
})

test('a mark at the start of the body goes, one further on stays', () => {
  const marked = { choices: [{ index: 0, delta: { content: 'a\ufeffb' }, finish_reason: 'stop' }] }
  expect(readWire({ body: `\ufeff${sse(marked, '[DONE]')}` })).toMatchObject({
    blocks: [{ text: 'a\ufeffb' }],
    diagnostics: ['byte-order-mark'],
  })
})

test('an event that is open at the end counts if it parses', () => {
  const body = `${sse(hello)}data: ${JSON.stringify(stop)}`
  expect(readWire({ body })).toMatchObject({ finish: 'stop', diagnostics: ['done-missing', 'event-unterminated'] })
  expect(readWire({ body: `${sse(hello, stop)}data: [DONE]` })).toMatchObject({
    finish: 'stop',
    diagnostics: ['event-unterminated'],
  })
})

test('an event that is torn at the end is no error of its own', () => {
  const whole = readWire({ body: `${sse(hello, stop)}data: {"choices":[` })
  expect(whole).toMatchObject({ finish: 'stop', diagnostics: ['done-missing'] })
  expect(whole.error).toBeUndefined()
  const cut = readWire({ body: `${sse(hello)}data: {"choices":[` })
  expect(cut).toMatchObject({ finish: 'truncated', diagnostics: [], error: { code: 'stream-truncated' } })
})

test('data that is no JSON ends the answer, whatever follows', () => {
  const read = readWire({ body: `${sse(hello)}data: upstream failed\n\n${sse(stop, '[DONE]')}` })
  expect(read).toMatchObject({
    finish: 'error',
    blocks: [{ text: 'Hi' }],
    error: { code: 'bad-response', retryable: true },
  })
})

test('nothing is read after the end, whatever it is', () => {
  const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }
  const read = readWire({ body: sse(hello, stop, '[DONE]', usage, { error: { message: 'late' } }) })
  expect(read).toMatchObject({ finish: 'stop', usage: null, diagnostics: ['data-after-done'] })
})

test('the type in the data goes before the name of the event', () => {
  const body = `event: error\ndata: ${JSON.stringify({ type: 'ping' })}\n\n${namedSse(
    { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  )}`
  expect(readWire({ dialect: 'anthropic-messages', body })).toMatchObject({ finish: 'stop', diagnostics: [] })
})

test('data without a type takes the name of its event', () => {
  const body =
    'event: message_delta\ndata: {"delta":{"stop_reason":"end_turn"}}\n\nevent: message_stop\ndata: {"a":1}\n\n'
  expect(readWire({ dialect: 'anthropic-messages', body })).toMatchObject({ finish: 'stop', diagnostics: [] })
})

test('bytes that are no UTF-8 become replacement marks and lose nothing else', () => {
  const text = chatStream([{ content: 'a?b' }])
  const bytes = new TextEncoder().encode(text)
  bytes[text.indexOf('?')] = 0xff
  expect(readWire({ body: bytes })).toMatchObject({ blocks: [{ text: 'a\ufffdb' }], finish: 'stop' })
})
