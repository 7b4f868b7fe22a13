import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions'
import { expect, test } from 'vitest'
import { FULL_REQUEST, written } from '../../test/support/full-request.js'
import { readWire, sse } from '../../test/support/read-wire.js'
import { openAiChatDialect } from './openai-chat.js'

const write = (provider: string, request = FULL_REQUEST) =>
  written(openAiChatDialect({ provider, model: 'gpt-5', baseUrl: 'http://127.0.0.1' }), request, provider, 'gpt-5')

test('a request with everything in it is one of the official client', () => {
  const expected = {
    model: 'gpt-5',
    messages: [
      { role: 'developer', content: 'Be brief.\n\nBe kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'call_t1_1', type: 'function', function: { name: 'files_read', arguments: '{ "path": "a" }' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_t1_1', content: 'empty' },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'files_read',
          description: 'Reads a file.',
          parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'files_read' } },
    parallel_tool_calls: false,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: FULL_REQUEST.output?.schema ?? {}, strict: true },
    },
    max_completion_tokens: 4000,
    temperature: 0.5,
    top_p: 0.9,
    stop: ['END'],
    reasoning_effort: 'low',
    prompt_cache_key: 'run-7',
    stream: true,
    stream_options: { include_usage: true },
  } satisfies ChatCompletionCreateParamsStreaming
  expect(write('openai')).toEqual(expected)
})

test('the table says how other servers differ', () => {
  const { output: _, ...free } = FULL_REQUEST
  expect(write('mistral', { ...free, toolChoice: 'required' })).toMatchObject({
    max_tokens: 4000,
    tool_choice: 'any',
    messages: [{ role: 'system' }, {}, {}, {}],
  })
  expect(write('mistral', free)).not.toHaveProperty('stream_options')
  expect(write('mistral', free)).not.toHaveProperty('reasoning_effort')
  expect(write('mistral', free)).not.toHaveProperty('prompt_cache_key')
  expect(write('openrouter', free)).toMatchObject({ reasoning: { effort: 'low' } })
  expect(write('dashscope', free)).toMatchObject({ enable_thinking: true })
  expect(write('deepseek')).toMatchObject({ thinking: { type: 'enabled' }, response_format: { type: 'json_object' } })
  expect(JSON.stringify(write('deepseek'))).toContain('JSON Schema')
})

test('not to think is said in the word that the model knows, or not at all', () => {
  const effort = (provider: string, model: string) => {
    const request = { ...FULL_REQUEST, settings: { reasoning: 'off' } } as const
    const dialect = openAiChatDialect({ provider, model, baseUrl: 'http://127.0.0.1' })
    return (written(dialect, request, provider, model) as { reasoning_effort?: string }).reasoning_effort
  }
  expect(effort('openai', 'gpt-5-mini')).toBe('minimal')
  expect(effort('openai', 'gpt-5.1')).toBe('none')
  expect(effort('openai', 'gpt-4.1')).toBeUndefined()
  expect(effort('vllm', 'qwen3')).toBeUndefined()
})

test('each server is shown what its validator takes of a schema', () => {
  const input = {
    type: 'object',
    anyOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { type: 'string' } } }],
  }
  const request = { ...FULL_REQUEST, tools: [{ name: 'f', description: '', input }] }
  expect(JSON.stringify(write('openai', request))).not.toContain('anyOf')
  expect(JSON.stringify(write('gemini', request))).not.toContain('const')
})

test('an open schema is a wish, and no tools means no word about them', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', minLength: 1 } } }
  const request = { ...FULL_REQUEST, output: { name: 'x', schema }, tools: [] }
  expect(write('openai', request)).toMatchObject({ response_format: { json_schema: { strict: false } } })
  expect(write('openai', request)).not.toHaveProperty('tool_choice')
  expect(write('openai', request)).not.toHaveProperty('parallel_tool_calls')
})

test('official chunks and completions are read', () => {
  const base = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-5' } as const
  const chunks = [
    { ...base, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] },
    {
      ...base,
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
          finish_reason: 'tool_calls',
        },
      ],
    },
    { ...base, choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
  ] satisfies ChatCompletionChunk[]
  expect(readWire({ body: sse(...(chunks as never[]), '[DONE]') })).toMatchObject({
    blocks: [{ text: 'Hi' }, { alias: 'a', name: 'f' }],
    finish: 'tool-calls',
    usage: { input: 3, output: 2 },
    diagnostics: [],
  })
  const completion = {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-5',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hi', refusal: null }, finish_reason: 'stop', logprobs: null },
    ],
  } satisfies ChatCompletion
  expect(readWire({ stream: false, body: JSON.stringify(completion) })).toMatchObject({
    finish: 'stop',
    diagnostics: [],
  })
})
