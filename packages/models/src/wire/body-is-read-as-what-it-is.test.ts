import { expect, test } from 'vitest'
import { chatStream, readWire } from '../../test/support/read-wire.js'

const whole = JSON.stringify({ choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] })

test('white space before JSON is nothing, text after it is told', () => {
  expect(readWire({ stream: false, body: `\n\r\n  ${whole}\n` })).toMatchObject({
    blocks: [{ text: 'Hi' }],
    diagnostics: [],
  })
  expect(readWire({ stream: false, body: `${whole}\n{"choices":[]}` })).toMatchObject({
    blocks: [{ text: 'Hi' }],
    finish: 'stop',
    diagnostics: ['data-after-done'],
  })
})

test('JSON where a stream was asked for, and the other way round', () => {
  expect(readWire({ body: whole })).toMatchObject({ blocks: [{ text: 'Hi' }], diagnostics: ['stream-not-streamed'] })
  expect(readWire({ stream: false, body: chatStream([{ content: 'Hi' }]) })).toMatchObject({
    blocks: [{ text: 'Hi' }],
    diagnostics: ['stream-unasked'],
  })
  expect(readWire({ stream: false, body: `: wait\n\n${chatStream([{ content: 'Hi' }])}` })).toMatchObject({
    diagnostics: ['stream-unasked'],
  })
})

test.each([
  [200, 'wrong-endpoint'],
  [404, 'wrong-endpoint'],
  [403, 'forbidden'],
  [429, 'rate-limited'],
  [500, 'server-error'],
  [503, 'overloaded'],
  [524, 'timeout'],
])('a web page with status %i is %s', (status, code) => {
  const page = '<!DOCTYPE html>\n<html><body>secret page</body></html>'
  const read = readWire({ status, body: page, headers: { 'content-type': 'text/html' } })
  expect(read).toMatchObject({ finish: 'error', blocks: [], diagnostics: [], error: { code } })
  expect(read.error?.message).not.toContain('secret page')
})

test.each([
  ['no choices', '{"id":"x","choices":[]}'],
  ['choices that are null', '{"id":"x","choices":null}'],
  ['an object of another kind', '{"hello":"world"}'],
  ['a list', '[1,2]'],
  ['plain text', 'Bad gateway, sorry'],
  ['half of a JSON body', whole.slice(0, 40)],
  ['nothing', ''],
])('%s with status 200 is a bad response', (_, body) => {
  expect(readWire({ stream: false, body })).toMatchObject({
    finish: 'error',
    error: { code: 'bad-response', retryable: true },
  })
})

test('a stream without a byte is cut off, not empty', () => {
  expect(readWire({ body: '' })).toMatchObject({ finish: 'truncated', error: { code: 'stream-truncated' } })
})

test('each dialect refuses a body of another', () => {
  for (const dialect of ['anthropic-messages', 'openai-responses'] as const)
    expect(readWire({ dialect, stream: false, body: whole })).toMatchObject({ error: { code: 'bad-response' } })
})
