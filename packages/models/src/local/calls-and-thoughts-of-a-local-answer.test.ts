import type { Message, ModelEvent, ModelRequest } from '@tenon/kernel'
import { CallId, text, userMessage } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { wireNames } from '../tool-form/wire-names.js'
import { chatHistory } from './chat-history.js'
import { localAnswer } from './local-answer.js'
import { localPlan } from './local-mode.js'
import type { FromWorker } from './worker-protocol.js'

const author = { provider: 'local', model: 'm', dialect: 'llama' } as const
const tool = {
  name: 'weather.now',
  description: 'The weather',
  input: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
} as const
const names = wireNames([tool.name])
const usage = { input: 9, cachedInput: 1, output: 5, reasoning: 2 }

async function told(messages: readonly Exclude<FromWorker, { kind: 'loaded' | 'load-failed' }>[], forcedCall = false) {
  const answer = localAnswer({ author, tools: [tool], names, forcedCall })
  for (const message of messages) answer.take(message)
  const events: ModelEvent[] = []
  for await (const event of answer.events()) events.push(event)
  return events
}

const blocksOf = (events: readonly ModelEvent[]) => events.flatMap((e) => (e.kind === 'block-ended' ? [e.block] : []))

test('a thought, a word and two calls become four blocks in their order', async () => {
  const raw = ['||call: weather_now({"city": "Oslo", "days": null})']
  const events = await told([
    { kind: 'piece', id: 1, part: 'thought', text: 'Look ' },
    { kind: 'piece', id: 1, part: 'thought', text: 'it up.' },
    { kind: 'piece', id: 1, part: 'text', text: '\n\n' },
    { kind: 'piece', id: 1, part: 'text', text: 'One moment.' },
    { kind: 'call-piece', id: 1, index: 0, name: 'weather_now', text: '{"city": "Oslo", ' },
    { kind: 'call-piece', id: 1, index: 0, name: 'weather_now', text: '"days": null}' },
    { kind: 'call-piece', id: 1, index: 1, name: 'weather_now', text: '{"city": "Bergen", "days": 2}' },
    {
      kind: 'ended',
      id: 1,
      end: {
        reason: 'calls',
        usage,
        calls: [
          { name: 'weather_now', params: { city: 'Oslo', days: null }, raw },
          { name: 'weather_now', params: { city: 'Bergen', days: 2 }, raw },
        ],
      },
    },
  ])
  expect(blocksOf(events)).toMatchObject([
    { kind: 'reasoning', text: 'Look it up.', seal: 'none' },
    { kind: 'text', text: 'One moment.' },
    { kind: 'tool-call', name: 'weather.now', args: { city: 'Oslo' }, raw: { rawCall: raw } },
    { kind: 'tool-call', name: 'weather.now', args: { city: 'Bergen', days: 2 } },
  ])
  expect(events.filter((event) => event.kind === 'block-began').map(({ index }) => index)).toEqual([0, 1, 2, 3])
  expect(events.at(-1)).toMatchObject({ finish: 'tool-calls', usage: { ...usage, cacheWrite: 0 } })
})

test('a forced call that was cut off is text and says so, not half a call', async () => {
  const events = await told(
    [
      { kind: 'piece', id: 1, part: 'text', text: '{"name": "weather_now", "argu' },
      { kind: 'ended', id: 1, end: { reason: 'length', usage, calls: [] } },
    ],
    true,
  )
  expect(blocksOf(events)).toMatchObject([{ kind: 'text', text: '{"name": "weather_now", "argu' }])
  expect(events.at(-1)).toMatchObject({ finish: 'length' })
})

test('reading a long prompt is told as progress, so that nobody takes it for a stall', async () => {
  const events = await told([
    { kind: 'reading', id: 1 },
    { kind: 'piece', id: 1, part: 'text', text: 'Hi.' },
    { kind: 'ended', id: 1, end: { reason: 'stop', usage, calls: [] } },
  ])
  expect(events.map(({ kind }) => kind)).toEqual(['progress', 'block-began', 'delta', 'block-ended', 'finished'])
})

test('a failure of the worker is told, and ends the answer', async () => {
  const events = await told([{ kind: 'failed', id: 1, message: 'no memory' }])
  expect(events).toMatchObject([
    { finish: 'error', error: { code: 'local-failed', message: expect.stringContaining('no memory') } },
  ])
})

const request = (more: Partial<ModelRequest>): ModelRequest => ({
  system: [text('Be brief.')],
  messages: [userMessage('Weather?')],
  tools: [tool],
  toolChoice: 'auto',
  settings: {},
  ...more,
})

test('tools are functions when they may be called, and one grammar when one must be', () => {
  expect(localPlan(request({}), names).mode).toMatchObject({
    kind: 'functions',
    parallel: true,
    functions: {
      weather_now: { params: { properties: { days: { oneOf: [{ type: 'integer' }, { type: 'null' }] } } } },
    },
  })
  const forced = localPlan(request({ toolChoice: 'required' }), names)
  expect(forced).toMatchObject({
    forcedCall: true,
    mode: { kind: 'shaped', schema: { properties: { name: { const: 'weather_now' } } } },
  })
  expect(forced.request.system.at(-1)?.text).toContain('weather_now: The weather')
  expect(localPlan(request({ toolChoice: 'none' }), names).mode.kind).toBe('free')
})

test('turns with their results become one answer, and own calls stand as the model wrote them', () => {
  const call = { kind: 'tool-call', name: 'weather.now', args: { city: 'Oslo' } } as const
  const result = (id: string, said: string, isError = false) =>
    ({
      kind: 'tool-result',
      callId: CallId(id),
      name: 'weather.now',
      content: [text(said)],
      isError,
      provenance: { source: 'function', trust: 'untrusted' },
    }) as const
  const foreign = { provider: 'other', model: 'x', dialect: 'y' }
  const messages: readonly Message[] = [
    userMessage('Weather?'),
    userMessage([{ kind: 'image', mediaType: 'image/png', source: { kind: 'data', base64: 'AA==' } }]),
    {
      role: 'assistant',
      blocks: [
        { kind: 'reasoning', text: 'signed', seal: 'signature', author: foreign },
        { ...call, callId: CallId('t1.1'), author, raw: { rawCall: ['as written'] } },
        { ...call, callId: CallId('t1.2'), author: foreign, raw: { rawCall: ['not ours'] } },
      ],
    },
    { role: 'tool', blocks: [result('t1.1', '{"degrees": 4}'), result('t1.2', 'timed out', true)] },
    { role: 'assistant', blocks: [{ kind: 'text', text: 'Four.', author }] },
  ]
  expect(chatHistory(request({ messages }), author, names)).toEqual([
    { type: 'system', text: 'Be brief.' },
    { type: 'user', text: 'Weather?\n\n[image (image/png): this model cannot be shown it]' },
    {
      type: 'model',
      response: [
        {
          type: 'functionCall',
          name: 'weather_now',
          params: { city: 'Oslo' },
          result: { degrees: 4 },
          rawCall: ['as written'],
          startsNewChunk: true,
        },
        { type: 'functionCall', name: 'weather_now', params: { city: 'Oslo' }, result: { error: 'timed out' } },
        'Four.',
      ],
    },
  ])
})
