import type { Message, ModelBlock, ModelEvent, ModelRequest, TurnBlock } from '@tenon/kernel'
import { CallId, text, userMessage } from '@tenon/kernel'
import { createAnthropic as anthropicV2 } from 'ai-sdk-anthropic-v2'
import { createAnthropic as anthropicV3 } from 'ai-sdk-anthropic-v3'
import { createAnthropic as anthropicV4 } from 'ai-sdk-anthropic-v4'
import { createOpenAICompatible as compatibleV2 } from 'ai-sdk-openai-compatible-v2'
import { createOpenAICompatible as compatibleV3 } from 'ai-sdk-openai-compatible-v3'
import { createOpenAICompatible as compatibleV4 } from 'ai-sdk-openai-compatible-v4'
import { describe, expect, test } from 'vitest'
import { scriptedServer, sse } from '../../test/support/scripted-server.js'
import type { AiSdkLanguageModel } from './ai-sdk-types.js'
import { fromAiSdk } from './from-ai-sdk.js'

const anthropics = {
  v2: (baseURL: string): AiSdkLanguageModel => anthropicV2({ baseURL, apiKey: 'none' })('claude-x'),
  v3: (baseURL: string): AiSdkLanguageModel => anthropicV3({ baseURL, apiKey: 'none' })('claude-x'),
  v4: (baseURL: string): AiSdkLanguageModel => anthropicV4({ baseURL, apiKey: 'none' })('claude-x'),
}
const compatibles = {
  v2: (baseURL: string): AiSdkLanguageModel => compatibleV2({ name: 'near', baseURL, includeUsage: true })('m'),
  v3: (baseURL: string): AiSdkLanguageModel => compatibleV3({ name: 'near', baseURL, includeUsage: true })('m'),
  v4: (baseURL: string): AiSdkLanguageModel => compatibleV4({ name: 'near', baseURL, includeUsage: true })('m'),
}
const versions = ['v2', 'v3', 'v4'] as const

const weather = {
  name: 'weather.now',
  description: 'The weather',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const

const request = (messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: [text('Be brief.')],
  messages,
  tools: [weather],
  toolChoice: 'auto',
  settings: { maxOutputTokens: 100 },
  ...more,
})

async function collect(model: AiSdkLanguageModel, asked: ModelRequest, signal = new AbortController().signal) {
  const events: ModelEvent[] = []
  for await (const event of fromAiSdk(model).generate(asked, { signal })) events.push(event)
  const blocks: ModelBlock[] = events.flatMap((event) => (event.kind === 'block-ended' ? [event.block] : []))
  // Specification 4 adds parts that only their provider understands; they are kept, and looked at nowhere here.
  const said = blocks.filter((block) => block.kind !== 'opaque')
  const finished = events.at(-1)
  if (finished?.kind !== 'finished') throw new Error('the stream has no end')
  return { events, blocks, said, finished }
}

/** What the engine does with a turn before the next request. */
const turn = (blocks: readonly ModelBlock[]): readonly TurnBlock[] =>
  blocks.map((block, index) =>
    block.kind === 'tool-call' ? { ...block, callId: CallId(`t1.${index}`) } : block,
  ) as readonly TurnBlock[]

const result = (index: number, said: string): Message => ({
  role: 'tool',
  blocks: [
    {
      kind: 'tool-result',
      callId: CallId(`t1.${index}`),
      name: 'weather.now',
      content: [text(said)],
      isError: false,
      provenance: { source: 'function', trust: 'untrusted' },
    },
  ],
})

const THINKING = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x-1',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 20, cache_read_input_tokens: 300, cache_creation_input_tokens: 40, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Look it up.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmVk' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'aGlkZGVu' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id: 'toolu_9', name: 'weather_now', input: {} },
  },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"city": ' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '"Oslo"}' } },
  { type: 'content_block_stop', index: 2 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 55 } },
  { type: 'message_stop' },
]

describe.each(versions)('specification %s', (version) => {
  test('signed and redacted thoughts, the call and its id go back as they came', async () => {
    await using server = await scriptedServer((response) => sse(response, THINKING))
    const model = anthropics[version](server.url)
    const asked = userMessage('Weather in Oslo?')
    const { blocks, said, finished } = await collect(model, request([asked]))
    expect(said.map((block) => block.kind)).toEqual(['reasoning', 'reasoning', 'tool-call'])
    expect(said[0]).toMatchObject({ text: 'Look it up.', seal: 'signature' })
    expect(said[1]).toMatchObject({ seal: 'encrypted' })
    expect(said[2]).toMatchObject({ name: 'weather.now', args: { city: 'Oslo' }, alias: 'toolu_9' })
    expect(finished).toMatchObject({ finish: 'tool-calls', servedBy: 'claude-x-1' })
    expect(finished.usage).toMatchObject({ input: 20, cachedInput: 300, cacheWrite: 40, output: 55 })

    const kept = JSON.parse(JSON.stringify(turn(blocks))) as readonly TurnBlock[]
    await collect(model, request([asked, { role: 'assistant', blocks: kept }, result(blocks.length - 1, 'rain')]))
    const { messages } = JSON.parse(server.seen[1]?.body ?? '{}')
    expect(messages[1].content).toMatchObject([
      { type: 'thinking', thinking: 'Look it up.', signature: 'c2lnbmVk' },
      { type: 'redacted_thinking', data: 'aGlkZGVu' },
      { type: 'tool_use', id: 'toolu_9', name: 'weather_now', input: { city: 'Oslo' } },
    ])
    expect(messages[2].content[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_9' })
  })

  test("another model's signed thoughts are dropped whole, its text stays", async () => {
    await using server = await scriptedServer((response) => sse(response, THINKING))
    const foreign = { provider: 'other', model: 'm', dialect: 'anthropic-messages' }
    const blocks: readonly TurnBlock[] = [
      { kind: 'reasoning', text: 'secret', seal: 'signature', author: foreign, raw: { signature: 'x' } },
      { kind: 'text', text: 'Hello.', author: foreign },
    ]
    await collect(
      anthropics[version](server.url),
      request([userMessage('Hi'), { role: 'assistant', blocks }, userMessage('So?')]),
    )
    expect(server.seen[0]?.body).not.toContain('secret')
    expect(server.seen[0]?.body).toContain('Hello.')
  })

  test('streamed text, parallel calls and usage with a cached part come from an OpenAI-like server', async () => {
    await using server = await scriptedServer((response) =>
      sse(
        response,
        [
          { id: 'c', model: 'm-2', choices: [{ index: 0, delta: { role: 'assistant', content: 'Look' } }] },
          { id: 'c', model: 'm-2', choices: [{ index: 0, delta: { content: 'ing.' } }] },
          ...[0, 1].map((index) => ({
            id: 'c',
            model: 'm-2',
            choices: [
              {
                index: 0,
                delta: {
                  tool_calls: [
                    {
                      index,
                      id: `call_${index}`,
                      type: 'function',
                      function: { name: 'weather_now', arguments: `{"city":"${index}"}` },
                    },
                  ],
                },
              },
            ],
          })),
          { id: 'c', model: 'm-2', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
          {
            id: 'c',
            model: 'm-2',
            choices: [],
            usage: {
              prompt_tokens: 100,
              completion_tokens: 30,
              prompt_tokens_details: { cached_tokens: 80 },
              completion_tokens_details: { reasoning_tokens: 12 },
            },
          },
        ],
        'data: [DONE]\n\n',
      ),
    )
    const { blocks, finished, events } = await collect(
      compatibles[version](server.url),
      request([userMessage('Weather?')]),
    )
    expect(events.filter((event) => event.kind === 'delta' && event.index === 0)).toHaveLength(2)
    expect(blocks).toMatchObject([
      { kind: 'text', text: 'Looking.' },
      { kind: 'tool-call', name: 'weather.now', args: { city: '0' }, alias: 'call_0' },
      { kind: 'tool-call', name: 'weather.now', args: { city: '1' }, alias: 'call_1' },
    ])
    expect(finished.usage).toEqual({ input: 20, cachedInput: 80, cacheWrite: 0, output: 30, reasoning: 12 })
    expect(JSON.parse(server.seen[0]?.body ?? '{}').tools[0].function.name).toBe('weather_now')
  })

  test('a rate limit is told with the time to wait', async () => {
    await using server = await scriptedServer((response) => {
      response.writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' })
      response.end('{"error":{"message":"slow down","type":"rate_limit_error"}}')
    })
    const { finished } = await collect(compatibles[version](server.url), request([userMessage('Hi')]))
    expect(finished).toMatchObject({
      finish: 'error',
      error: { code: 'rate-limited', retryable: true, retryAfterMs: 7000 },
    })
    expect(server.seen).toHaveLength(1)
  })

  test('an overloaded error in the middle of a stream keeps what came', async () => {
    await using server = await scriptedServer((response) =>
      sse(response, [
        ...THINKING.slice(0, 5),
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      ]),
    )
    const { said, finished } = await collect(anthropics[version](server.url), request([userMessage('Hi')]))
    expect(said[0]).toMatchObject({ kind: 'reasoning', text: 'Look it up.' })
    expect(finished).toMatchObject({ finish: 'error', error: { code: 'overloaded', retryable: true } })
  })

  test('a server that is not there is told as unreachable', async () => {
    const server = await scriptedServer(() => {})
    await server[Symbol.asyncDispose]()
    const { finished } = await collect(compatibles[version](server.url), request([userMessage('Hi')]))
    expect(finished).toMatchObject({ finish: 'error', error: { code: 'unreachable', retryable: true } })
  })

  test('a stream that makes no progress ends as stalled, and its connection is closed', async () => {
    let closed: (() => void) | undefined
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    await using server = await scriptedServer((response) => {
      response.on('close', () => closed?.())
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n')
    })
    const model = fromAiSdk(compatibles[version](server.url), { patience: { betweenMs: 50 } })
    const events: ModelEvent[] = []
    for await (const event of model.generate(request([userMessage('Hi')]), { signal: new AbortController().signal }))
      events.push(event)
    expect(events.at(-1)).toMatchObject({ kind: 'finished', finish: 'truncated', error: { code: 'stream-stalled' } })
    await isClosed
  })

  test('an abort closes the connection and ends the stream', async () => {
    let closed: (() => void) | undefined
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    await using server = await scriptedServer((response) => {
      response.on('close', () => closed?.())
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n')
    })
    const stop = new AbortController()
    const kinds: string[] = []
    for await (const event of fromAiSdk(compatibles[version](server.url)).generate(request([userMessage('Hi')]), {
      signal: stop.signal,
    })) {
      kinds.push(event.kind)
      if (event.kind === 'delta') stop.abort()
    }
    expect(kinds).toEqual(['block-began', 'delta'])
    await isClosed
  })

  test('pictures of the user and of a tool reach the provider as pictures', async () => {
    await using server = await scriptedServer((response) => sse(response, THINKING))
    const picture = { kind: 'image', mediaType: 'image/png', source: { kind: 'data', base64: 'iVBORw0KGgo=' } } as const
    const call: TurnBlock = { kind: 'tool-call', callId: CallId('t1.0'), name: 'weather.now', args: { city: 'x' } }
    await collect(
      anthropics[version](server.url),
      request([
        userMessage([text('See'), picture]),
        { role: 'assistant', blocks: [call] },
        {
          role: 'tool',
          blocks: [
            {
              kind: 'tool-result',
              callId: CallId('t1.0'),
              name: 'weather.now',
              content: [text('a map'), picture],
              isError: false,
              provenance: { source: 'function', trust: 'untrusted' },
            },
          ],
        },
      ]),
    )
    const { messages } = JSON.parse(server.seen[0]?.body ?? '{}')
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
    expect(messages[0].content[1]).toMatchObject({ type: 'image', source })
    expect(messages[2].content[0].content).toMatchObject([
      { type: 'text', text: 'a map' },
      { type: 'image', source },
    ])
  })
})

test('the reasoning effort reaches a model of specification 4', async () => {
  await using server = await scriptedServer((response) => sse(response, [], 'data: [DONE]\n\n'))
  await collect(compatibles.v4(server.url), request([userMessage('Hi')], { settings: { reasoning: 'high' } }))
  expect(JSON.parse(server.seen[0]?.body ?? '{}').reasoning_effort).toBe('high')
})

test('a version that is not known is refused by name', () => {
  const future = { specificationVersion: 'v9', provider: 'p', modelId: 'm', doGenerate: async () => ({}) }
  expect(() => fromAiSdk(future as unknown as AiSdkLanguageModel)).toThrow(/v9/)
})

test('a model that cannot stream is asked for the whole answer', async () => {
  await using server = await scriptedServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        id: 'c',
        model: 'm-2',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 5, completion_tokens: 2 },
      }),
    )
  })
  const streaming = compatibles.v3(server.url)
  const whole: AiSdkLanguageModel = {
    specificationVersion: 'v3',
    provider: streaming.provider,
    modelId: streaming.modelId,
    doGenerate: (options: never) => streaming.doGenerate(options),
  }
  const { blocks, finished } = await collect(whole, request([userMessage('Hi')]))
  expect(blocks).toMatchObject([{ kind: 'text', text: 'Hello.' }])
  expect(finished).toMatchObject({ finish: 'stop', servedBy: 'm-2', usage: { input: 5, output: 2 } })
})
