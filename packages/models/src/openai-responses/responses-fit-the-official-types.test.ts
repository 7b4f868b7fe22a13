import type { ResponseCreateParamsStreaming, ResponseStreamEvent } from 'openai/resources/responses/responses'
import { expect, test } from 'vitest'
import { FULL_REQUEST, written } from '../../test/support/full-request.js'
import { readWire, sse } from '../../test/support/read-wire.js'
import { openAiResponsesDialect } from './openai-responses.js'

const write = (provider: string, model: string) =>
  written(openAiResponsesDialect({ provider, model, baseUrl: 'http://127.0.0.1' }), FULL_REQUEST, provider, model)

test('a request with everything in it is one of the official client', () => {
  const expected = {
    model: 'gpt-5',
    instructions: 'Be brief.\n\nBe kind.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'auto' },
        ],
      },
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'call_t1_1', name: 'files_read', arguments: '{ "path": "a" }' },
      { type: 'function_call_output', call_id: 'call_t1_1', output: 'empty' },
    ],
    tools: [
      {
        type: 'function',
        name: 'files_read',
        description: 'Reads a file.',
        parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        strict: false,
      },
    ],
    tool_choice: { type: 'function', name: 'files_read' },
    parallel_tool_calls: false,
    text: {
      format: { type: 'json_schema', name: 'answer', schema: { ...FULL_REQUEST.output?.schema }, strict: true },
    },
    max_output_tokens: 4000,
    temperature: 0.5,
    top_p: 0.9,
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'run-7',
    store: false,
    stream: true,
  } satisfies ResponseCreateParamsStreaming
  expect(write('openai', 'gpt-5')).toEqual(expected)
})

test('only models that think are asked for their sealed thoughts', () => {
  expect(write('openai', 'gpt-4.1')).not.toHaveProperty('include')
  expect(write('openai', 'o4-mini')).toHaveProperty('include')
})

test('official events are read', () => {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
  } as const
  const events = [
    {
      type: 'response.output_item.added',
      output_index: 0,
      sequence_number: 1,
      item: { ...message, content: [], status: 'in_progress' },
    },
    {
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta: 'Hi',
      logprobs: [],
      sequence_number: 2,
    },
    {
      type: 'response.output_item.done',
      output_index: 0,
      sequence_number: 3,
      item: { ...message, content: [...message.content] } as never,
    },
  ] satisfies ResponseStreamEvent[]
  const completed = {
    type: 'response.completed',
    sequence_number: 4,
    response: { status: 'completed', output: [message] },
  }
  expect(
    readWire({ dialect: 'openai-responses', body: sse(...(events as never[]), completed as never) }),
  ).toMatchObject({
    blocks: [{ text: 'Hi' }],
    finish: 'stop',
    diagnostics: [],
  })
})
