import type { Json } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { chatStream, fragment, readWire, sse } from '../../test/support/read-wire.js'

const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
const whole = (choices: Json, usage?: Json) =>
  readWire({
    stream: false,
    tools: ['f'],
    body: JSON.stringify({ choices, ...(usage === undefined ? {} : { usage }) }),
  })

test('calls of another choice are taken where the first has none', () => {
  const read = whole([
    { index: 0, message: { content: 'a' }, finish_reason: 'tool_calls' },
    { index: 1, message: { content: 'b', tool_calls: [call('x')] }, finish_reason: 'tool_calls' },
  ])
  expect(read).toMatchObject({
    blocks: [{ text: 'a' }, { alias: 'x' }],
    finish: 'tool-calls',
    diagnostics: ['choices-ignored', 'choices-merged'],
  })
})

test('all else of another choice is passed over', () => {
  const both = whole([
    { index: 0, message: { tool_calls: [call('a')] }, finish_reason: 'tool_calls' },
    { index: 1, message: { tool_calls: [call('b')] }, finish_reason: 'stop' },
  ])
  expect(both).toMatchObject({ blocks: [{ alias: 'a' }], diagnostics: ['choices-ignored'] })
  const empty = whole([
    { index: 0, message: { content: 'a' }, finish_reason: 'stop' },
    { index: 1, message: { content: '' }, finish_reason: 'stop' },
  ])
  expect(empty).toMatchObject({ blocks: [{ text: 'a' }], finish: 'stop', diagnostics: [] })
})

test('the index counts, not the place, in a stream too', () => {
  const chunk = (index: number, delta: object, word: string | null = null) =>
    ({ choices: [{ index, delta, finish_reason: word }] }) as never
  const body = sse(
    chunk(1, fragment({ index: 0, id: 'x', name: 'f', args: '{"a"' }) as object),
    chunk(0, { content: 'first' }),
    chunk(1, fragment({ index: 0, args: ':1}' }) as object),
    chunk(1, {}, 'tool_calls'),
    chunk(0, {}, 'stop'),
    '[DONE]',
  )
  expect(readWire({ body, tools: ['f'] })).toMatchObject({
    blocks: [{ text: 'first' }, { alias: 'x', args: { a: 1 } }],
    finish: 'tool-calls',
    diagnostics: ['choices-merged', 'finish-corrected'],
  })
})

const counted = (usage: Json) => whole([{ message: { content: 'a' }, finish_reason: 'stop' }], usage)

test('the cache stands inside the prompt', () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 10,
    total_tokens: 110,
    prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
    completion_tokens_details: { reasoning_tokens: 0 },
  }
  expect(counted(usage).usage).toEqual({ input: 10, cachedInput: 60, cacheWrite: 30, output: 10, reasoning: 0 })
})

test('a total above the sum is output, and reasoning where none was named', () => {
  expect(counted({ prompt_tokens: 5, completion_tokens: 5, total_tokens: 30 })).toMatchObject({
    usage: { output: 25, reasoning: 20 },
    diagnostics: ['usage-adjusted'],
  })
  const named = { completion_tokens_details: { reasoning_tokens: 18 } }
  expect(counted({ prompt_tokens: 5, completion_tokens: 5, total_tokens: 30, ...named })).toMatchObject({
    usage: { output: 25, reasoning: 18 },
    diagnostics: ['usage-adjusted'],
  })
  expect(counted({ prompt_tokens: 5, completion_tokens: 5, total_tokens: 0 })).toMatchObject({
    usage: { output: 5, reasoning: null },
    diagnostics: [],
  })
})

test('of running totals the last value of each field counts, zeros too', () => {
  const report = (usage: Json) => ({ choices: [], usage }) as never
  const body = sse(
    { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] } as never,
    report({ prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 5, audio_tokens: 1 } }),
    report({ completion_tokens: 6, prompt_tokens_details: { cached_tokens: 0 } }),
    report(null),
    '[DONE]',
  )
  expect(readWire({ body }).usage).toEqual({ input: 9, cachedInput: 0, cacheWrite: 0, output: 6, reasoning: null })
})

test('usage beside the place where it belongs is read and told', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  const body = sse(
    { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }], x_groq: { usage } } as never,
    '[DONE]',
  )
  expect(readWire({ body })).toMatchObject({ usage: { input: 3, output: 2 }, diagnostics: ['usage-misplaced'] })
})

test('no usage is null, and an empty report is none', () => {
  expect(readWire({ body: chatStream([{ content: 'a' }]) }).usage).toBeNull()
  expect(counted({}).usage).toBeNull()
  expect(counted({ prompt_tokens: 0, completion_tokens: 0 }).usage).toMatchObject({ input: 0, output: 0 })
})

test('a spoken answer is an audio block with its bytes', () => {
  const deltas = [
    { audio: { id: 'audio_1', transcript: 'He' } },
    { audio: { data: Buffer.from('ab').toString('base64'), transcript: 'llo' } },
    { audio: { data: Buffer.from('cd').toString('base64') } },
    { audio: { expires_at: 7 } },
  ]
  const { blocks } = readWire({ body: chatStream(deltas) })
  expect(blocks).toMatchObject([
    {
      kind: 'audio',
      source: { base64: Buffer.from('abcd').toString('base64') },
      raw: { id: 'audio_1', transcript: 'Hello', expires_at: 7 },
    },
  ])
})
