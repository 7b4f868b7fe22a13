import { type LiveItem, type Model, type ModelEvent, type ModelRequest, react } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { tool } from '../tools/tool.js'
import { agent } from './agent.js'
import { RunError } from './run-error.js'

/** Says in each turn what the function makes of the request. */
function model(say: (request: ModelRequest) => string | { tool: string; args: Record<string, unknown> }): Model {
  return {
    author: { provider: 'test', model: 'written', dialect: 'none' },
    contextWindow: 100_000,
    async *generate(request): AsyncGenerator<ModelEvent> {
      // As any model over a wire, it does not answer within the call.
      await new Promise(setImmediate)
      const said = say(request)
      if (typeof said === 'string') {
        yield { kind: 'block-began', index: 0, block: 'text' }
        yield { kind: 'delta', index: 0, text: said }
        yield { kind: 'block-ended', index: 0, block: { kind: 'text', text: said } }
        yield { kind: 'finished', finish: 'stop', usage: null, diagnostics: [] }
        return
      }
      const argsText = JSON.stringify(said.args)
      yield { kind: 'block-ended', index: 0, block: { kind: 'tool-call', name: said.tool, args: {}, argsText } }
      yield { kind: 'finished', finish: 'tool-calls', usage: null, diagnostics: [] }
    },
  }
}

const lastResult = (request: ModelRequest): string | undefined => {
  const last = request.messages.at(-1)
  const block = last?.role === 'tool' ? last.blocks[0]?.content[0] : undefined
  return block?.kind === 'text' ? block.text : undefined
}

const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  effect: 'pure',
  run: ({ a, b }) => String(a + b),
})
const calculator = model((request) => lastResult(request) ?? { tool: 'add', args: { a: 2, b: 40 } })

test('the result is awaited, and what was spent stands beside it', async () => {
  const result = await agent({ model: calculator, tools: [add] }).run('2 + 40').result
  expect(result).toMatchObject({ text: '42', turns: 2, calls: 1 })
})

test('iterating shows every event once and in order, with the live text between', async () => {
  const run = agent({ model: calculator, tools: [add] }).run('2 + 40')
  const items: LiveItem[] = []
  for await (const item of run) items.push(item)
  const events = items.flatMap((item) => (item.kind === 'event' ? [item.event] : []))
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(events.at(-1)).toMatchObject({ kind: 'run-ended', state: 'completed' })
  expect(items.some((item) => item.kind === 'delta' && item.text === '42')).toBe(true)
})

test('an output schema gives a typed result, and an answer of another shape goes back to the model', async () => {
  let asked = 0
  const typed = agent({
    model: model(() => (asked++ === 0 ? 'forty-two' : '{"sum": 42}')),
    output: z.object({ sum: z.number() }),
  })
  const { output } = await typed.run('2 + 40').result
  const sum: number = output.sum
  expect([sum, asked]).toEqual([42, 2])
})

const write = tool({
  name: 'write',
  description: 'Writes.',
  input: z.object({ what: z.string() }),
  run: ({ what }) => `wrote ${what}`,
})
const writer = model((request) => lastResult(request) ?? { tool: 'write', args: { what: 'it' } })

test('a consent that nobody can give ends the waiting with a name', async () => {
  const failed = agent({ model: writer, tools: [write] }).run('write it').result
  await expect(failed).rejects.toMatchObject({ code: 'input-required', state: 'input-required' })
})

test('whoever iterates may answer', async () => {
  const run = agent({ model: writer, tools: [write] }).run('write it')
  for await (const item of run)
    if (item.kind === 'event' && item.event.kind === 'input-requested')
      await run.answer(item.event.request.requestId, { kind: 'approve' })
  expect((await run.result).text).toBe('wrote it')
})

test('approve decides on each consent with its call before it', async () => {
  const seen: unknown[] = []
  const approving = agent({
    model: writer,
    tools: [write],
    approve: (_, call) => {
      seen.push(call?.args)
      return true
    },
  })
  expect((await approving.run('write it').result).text).toBe('wrote it')
  expect(seen).toEqual([{ what: 'it' }])
  const refusing = agent({ model: writer, tools: [write], approve: () => false })
  expect((await refusing.run('write it').result).text).not.toBe('wrote it')
})

test('aborting the signal cancels the run and stops its tool', async () => {
  const controller = new AbortController()
  let stopped = false
  const wait = tool({
    name: 'wait',
    description: 'Waits for ever.',
    effect: 'pure',
    run: (_, { signal }) =>
      new Promise<string>((resolve) => {
        signal.addEventListener('abort', () => {
          stopped = true
          resolve('stopped')
        })
        controller.abort()
      }),
  })
  const run = agent({ model: model(() => ({ tool: 'wait', args: {} })), tools: [wait] }).run('wait', {
    signal: controller.signal,
  })
  await expect(run.result).rejects.toMatchObject({ code: 'run-canceled', state: 'canceled' })
  expect(stopped).toBe(true)
})

test('a failed run rejects with the code of its error', async () => {
  const run = agent({ model: model(() => ({ tool: 'add', args: { a: 1, b: 1 } })), tools: [add], limits: { steps: 2 } })
  const error = await run.run('for ever').result.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RunError)
  expect(error).toMatchObject({ code: 'limit-reached', state: 'failed' })
})

test('a planner of one’s own drives the run', async () => {
  const once = { ...react(), name: 'mine', version: 7 }
  const run = agent({ model: calculator, tools: [add], planner: once }).run('2 + 40')
  await run.result
  expect((await run.state()).submission.planner).toEqual({ name: 'mine', version: 7 })
})

test('a word to a working run reaches its next turn', async () => {
  const release: (() => void)[] = []
  const slow = tool({
    name: 'slow',
    description: 'Waits.',
    effect: 'pure',
    run: () => new Promise<string>((resolve) => release.push(() => resolve('done'))),
  })
  const run = agent({
    model: model((request) => {
      const last = request.messages.at(-1)
      if (last?.role === 'user' && request.messages.length > 1)
        return last.blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('')
      return { tool: 'slow', args: {} }
    }),
    tools: [slow],
  }).run('go')
  for await (const item of run)
    if (item.kind === 'event' && item.event.kind === 'call-begun') {
      await run.tell('take the other road')
      for (const go of release) go()
    }
  expect((await run.result).text).toBe('take the other road')
})
