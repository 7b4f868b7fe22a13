import { type InputRequest, RequestId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { answerOfText } from './answer-of-text.js'
import { readUserInput } from './user-input.js'

const user = (content: unknown) => ({ role: 'user', content }) as never

test('the last message of the user counts, where it is new', () => {
  expect(readUserInput('hi').blocks).toMatchObject([{ kind: 'text', text: 'hi' }])
  const chat = [{ role: 'system', content: 's' }, user('a'), { role: 'assistant', content: 'b' }, user('c'), user('d')]
  expect(readUserInput(chat as never)).toMatchObject({ blocks: [{ text: 'd' }], before: 'b' })
  const over = [user('a'), { role: 'tool', tool_call_id: '1', content: 'x' }, { role: 'assistant', content: 'b' }]
  expect(readUserInput(over as never).blocks).toEqual([])
  const results = [{ type: 'function_call_output', call_id: '1', output: 'Approved' }]
  expect(readUserInput(results)).toEqual({ blocks: [], approvals: [], before: undefined })
})

test('texts, images, files and audio come by value or by address', () => {
  const data = 'data:image/png;base64,AAAA'
  const { blocks } = readUserInput([
    user([
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: data } },
      { type: 'input_image', image_url: 'https://example.com/a.png' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    ]),
  ])
  expect(blocks).toMatchObject([
    { kind: 'text', text: 'look' },
    { kind: 'image', mediaType: 'image/png', source: { kind: 'data', base64: 'AAAA' } },
    { kind: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
    { kind: 'file', name: 'a.pdf', mediaType: 'application/pdf' },
    { kind: 'audio', mediaType: 'audio/wav' },
  ])
})

test.each([
  null,
  {},
  [user(7)],
  [user([{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }])],
  [user([{ type: 'unheard-of' }])],
  [{ type: 'mcp_approval_response', approve: true }],
])('what cannot be read is refused: %j', (given) => {
  expect(() => readUserInput(given as never)).toThrow(expect.objectContaining({ code: 'request-invalid' }))
})

const asked = (more: Partial<InputRequest>): InputRequest => ({
  requestId: RequestId('t1.1/q1'),
  kind: 'question',
  callId: 't1.1' as never,
  key: 'k',
  prompt: 'p',
  binding: '',
  resume: null,
  ...more,
})

test.each([
  ['yes', { kind: 'approve' }],
  [' OK. ', { kind: 'approve' }],
  ['no', { kind: 'deny' }],
  ['No, use the other file', { kind: 'deny', reason: 'use the other file' }],
  ['yes, but first tell me what it does', undefined],
  ['maybe', undefined],
  ['now', undefined],
  ['', undefined],
])('consent in words: %j', (words, answer) => {
  expect(answerOfText(asked({ kind: 'approval' }), words)).toEqual(answer)
})

test('a question takes what fits its shape', () => {
  expect(answerOfText(asked({}), 'blue')).toBe('blue')
  expect(answerOfText(asked({ schema: { type: 'string', enum: ['red', 'blue'] } }), 'green')).toBeUndefined()
  expect(answerOfText(asked({ schema: { type: 'boolean' } }), 'yes')).toBe(true)
  expect(answerOfText(asked({ schema: { type: 'object' } }), '{"a":1}')).toEqual({ a: 1 })
})
