import type { HandEvent } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { callContext, eventsOf } from '../../test/kit/call-tool.js'
import { withJsonSchema } from '../schema/standard-schema.js'
import { tool } from './tool.js'

const weather = tool({
  name: 'weather',
  description: 'The weather of a city.',
  input: z.object({ city: z.string(), days: z.int().default(3) }),
  effect: 'pure',
  run: ({ city, days }) => `${days} days of sun in ${city.toUpperCase()}`,
})

test('the arguments are typed and come with their defaults', async () => {
  expect(await eventsOf(weather, { city: 'Graz' })).toEqual([
    { kind: 'result', content: [{ kind: 'text', text: '3 days of sun in GRAZ' }] },
  ])
  expect(weather).toMatchObject({ effect: 'pure', origin: { kind: 'function', name: 'local' } })
})

test('a schema of a library that cannot say its JSON Schema is typed and parsed all the same', async () => {
  const trimmed = z.object({ a: z.string().trim() })['~standard']
  const { jsonSchema: _, ...silent } = trimmed
  const input = withJsonSchema({ '~standard': silent }, { type: 'object', properties: { a: { type: 'string' } } })
  const shout = tool({ name: 'shout', description: 'Shouts.', input, run: ({ a }) => a.toUpperCase() })
  expect(shout.input.json).toEqual({ type: 'object', properties: { a: { type: 'string' } } })
  expect(await eventsOf(shout, { a: ' hey ' })).toMatchObject([{ content: [{ text: 'HEY' }] }])
})

test('an undeclared effect is once', () => {
  expect(tool({ name: 'pay', description: 'Pays.', run: () => 'ok' }).effect).toBe('once')
})

test('a transform that JSON cannot hold reaches run, not the journal', async () => {
  const later = tool({
    name: 'later',
    description: 'A day later.',
    input: z.object({ at: z.iso.date().transform((at) => new Date(at)) }),
    run: ({ at }) => new Date(at.getTime() + 86_400_000).toISOString().slice(0, 10),
  })
  expect(await later.input.check({ at: '2026-02-28' })).toEqual({ ok: true, value: { at: '2026-02-28' } })
  expect(await eventsOf(later, { at: '2026-02-28' })).toMatchObject([{ content: [{ text: '2026-03-01' }] }])
})

test.each([
  ['data', { n: 1 }, { content: [{ kind: 'text', text: '{"n":1}' }], value: { n: 1 } }],
  ['a list', [1, 2], { content: [{ kind: 'text', text: '[1,2]' }], value: [1, 2] }],
  ['an empty list', [], { value: [] }],
  ['null', null, { content: [{ kind: 'text', text: 'null' }], value: null }],
  ['nothing', undefined, { content: [{ kind: 'text', text: 'Done.' }] }],
  ['blocks', [{ kind: 'text', text: 'a' }], { content: [{ kind: 'text', text: 'a' }] }],
  ['a hand result', { kind: 'result', content: [], isError: true }, { content: [], isError: true }],
])('an answer may be %s', async (_name, answer, expected) => {
  const subject = tool({ name: 'a', description: 'Answers.', run: async () => answer as never })
  expect(await eventsOf(subject, {})).toMatchObject([{ kind: 'result', ...expected }])
})

test('an answer that cannot be JSON is a named failure of the tool', async () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  for (const wrong of [circle, { n: 1n }, () => 1]) {
    const subject = tool({ name: 'a', description: 'Answers.', run: async () => wrong as never })
    await expect(eventsOf(subject, {})).rejects.toMatchObject({ code: 'tool-failed' })
  }
})

test.each([
  [
    'blocks of another protocol',
    { kind: 'result', content: [{ type: 'text', text: 'hello' }] },
    '{ kind: "text", text }',
  ],
  ['an image without bytes', { kind: 'result', content: [{ kind: 'image', mediaType: 'image/png' }] }, 'no block'],
  ['a value that no journal holds', { kind: 'result', content: [], value: { n: 1n } }, 'JSON'],
])('%s in a hand result is a named failure of the tool', async (_name, answer, words) => {
  const wrong = { code: 'tool-failed', message: expect.stringContaining(words) }
  const plain = tool({ name: 'a', description: 'Answers.', run: () => answer as never })
  expect(() => plain.run({}, callContext())).toThrow(expect.objectContaining(wrong))
  const streaming = tool({
    name: 'a',
    description: 'Answers.',
    async *run() {
      yield answer as never
    },
  })
  await expect(eventsOf(streaming, {})).rejects.toMatchObject(wrong)
})

test.each([
  ['a number', 7],
  ['nothing', null],
  ['an event of no kind', { kind: 'done' }],
  ['needs that are no list', { kind: 'needs-input' }],
  ['a handle that no journal holds', { kind: 'handle', handle: 1n }],
])('%s on the way is a named failure of the tool', async (_name, event) => {
  const subject = tool({
    name: 'a',
    description: 'Answers.',
    async *run() {
      yield event as never
      return 'done'
    },
  })
  await expect(eventsOf(subject, {})).rejects.toMatchObject({ code: 'tool-failed' })
})

test('a generator reports on the way, and what it returns is the answer', async () => {
  let closed = false
  const subject = tool({
    name: 'job',
    description: 'Runs a job.',
    input: z.object({ n: z.int() }),
    async *run({ n }) {
      try {
        yield { kind: 'handle', handle: { job: n } }
        yield { kind: 'progress', message: 'half', done: 1, total: 2 }
        return { n }
      } finally {
        closed = true
      }
    },
  })
  expect(await eventsOf(subject, { n: 4 })).toMatchObject([
    { kind: 'handle', handle: { job: 4 } },
    { kind: 'progress' },
    { kind: 'result', value: { n: 4 } },
  ])
  closed = false
  for await (const _ of subject.run({ n: 4 }, callContext()) as AsyncIterable<HandEvent>) break
  expect(closed).toBe(true)
})

test('a schema that checks by promise works for every kind of run', async () => {
  const input = z.object({ a: z.string().refine(async () => true) })
  const plain = tool({ name: 'p', description: 'Plain.', input, run: ({ a }) => a })
  const streaming = tool({
    name: 's',
    description: 'Streams.',
    input,
    async *run({ a }) {
      yield { kind: 'progress' as const, message: a }
      return a
    },
  })
  expect(await eventsOf(plain, { a: 'x' })).toMatchObject([{ content: [{ text: 'x' }] }])
  expect(await eventsOf(streaming, { a: 'x' })).toMatchObject([{ kind: 'progress' }, { content: [{ text: 'x' }] }])
})

test.each([
  ['a name with spaces', { name: 'my tool' }, 'its name must be'],
  ['no description', { description: ' ' }, 'the model chooses by that'],
  ['no run', { run: undefined }, 'no run(args, context)'],
  ['an effect that is none', { effect: 'twice' }, '"pure", "idempotent" or "once"'],
  ['a concurrency of none', { concurrency: 0 }, 'above 0'],
  ['an endless timeout', { timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs'],
  [
    'a schema that is not JSON Schema',
    { input: { type: 'object', properties: { a: { type: 'str' } } } },
    '/properties/a',
  ],
  ['arguments that are no object', { input: { type: 'string' } }, 'must describe an object'],
])('%s is refused with what to change', (_name, wrong, words) => {
  const definition = { name: 'ok', description: 'Fine.', run: () => 'ok', ...wrong }
  expect(() => tool(definition as never)).toThrow(
    expect.objectContaining({ code: 'tool-invalid', message: expect.stringContaining(words) }),
  )
})
