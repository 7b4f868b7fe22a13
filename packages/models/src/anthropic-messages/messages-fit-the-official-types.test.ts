import type { MessageCreateParamsStreaming, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import { expect, test } from 'vitest'
import { FULL_REQUEST, written } from '../../test/support/full-request.js'
import { namedSse, readWire } from '../../test/support/read-wire.js'
import { anthropicMessagesDialect } from './anthropic-messages.js'

const CACHE = { cache_control: { type: 'ephemeral' } } as const

const write = (model: string, request = FULL_REQUEST, provider = 'anthropic') =>
  written(anthropicMessagesDialect({ provider, model, baseUrl: 'http://127.0.0.1' }), request, provider, model)

test('a request with everything in it is one of the official client', () => {
  const expected = {
    model: 'claude-sonnet-4-5',
    max_tokens: 4000,
    system: [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.', ...CACHE },
    ],
    tools: [
      {
        name: 'files_read',
        description: 'Reads a file.',
        input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
    ],
    tool_choice: { type: 'tool', name: 'files_read', disable_parallel_tool_use: true },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'call_t1_1', name: 'files_read', input: { path: 'a' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_t1_1', content: 'empty', is_error: true, ...CACHE }],
      },
    ],
    thinking: { type: 'disabled' },
    output_config: { format: { type: 'json_schema', schema: { ...FULL_REQUEST.output?.schema } } },
    temperature: 0.5,
    top_p: 0.9,
    stop_sequences: ['END'],
    stream: true,
  } satisfies MessageCreateParamsStreaming
  expect(write('claude-sonnet-4-5')).toEqual(expected)
})

test('older models get a budget, newer ones think as they see fit, and neither a temperature', () => {
  const { output: _, ...free } = FULL_REQUEST
  const request = {
    ...free,
    toolChoice: 'auto',
    messages: free.messages.slice(0, 1),
    settings: { reasoning: 'medium', temperature: 1 },
  } as const
  const older = write('claude-sonnet-4-5', request)
  expect(older).toMatchObject({ max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 8192 } })
  expect(older).not.toHaveProperty('temperature')
  expect(write('claude-opus-4-6', request)).toMatchObject({
    thinking: { type: 'adaptive' },
    output_config: { effort: 'medium' },
  })
  expect(write('claude-3-5-haiku-latest', { ...request, settings: {} })).toMatchObject({ max_tokens: 8192 })
})

test('a model that cannot be held to a shape is told it', () => {
  const body = write('claude-3-5-haiku-latest')
  expect(body).not.toHaveProperty('output_config')
  expect(JSON.stringify(body)).toContain('JSON Schema')
})

test('what is said in a row is one message, results first, and blank text is none', () => {
  const [first, ...rest] = FULL_REQUEST.messages
  if (first?.role !== 'user') throw new Error('the request begins with the user')
  const blank = { ...first, blocks: [{ kind: 'text', text: ' \n' } as const] }
  const body = write('claude-sonnet-4-5', { ...FULL_REQUEST, messages: [first, ...rest, blank, first] }) as {
    messages: { role: string; content: object[] }[]
  }
  expect(body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(body.messages[2]?.content).toMatchObject([
    { type: 'tool_result' },
    { type: 'text' },
    { type: 'image', ...CACHE },
  ])
})

test('official events are read', () => {
  const events = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: null } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_stop' },
  ] satisfies RawMessageStreamEvent[]
  const [start, delta, stop, end] = events as never[]
  const body = namedSse(
    start as never,
    delta as never,
    stop as never,
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    end as never,
  )
  expect(readWire({ dialect: 'anthropic-messages', body })).toMatchObject({
    blocks: [{ text: 'Hi', raw: { type: 'text', text: 'Hi' } }],
    finish: 'stop',
    diagnostics: [],
  })
})
