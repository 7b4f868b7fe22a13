import { expect, test } from 'vitest'
import { calendar } from '../../test/support/calendar.js'
import { hostOf, testAgent } from '../../test/support/host.js'
import type { Line } from '../../test/support/scripted-model.js'
import { AUTHOR, callTool, say, scriptedModel, USAGE } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { ErrorRecord } from '../errors/error-table.js'
import type { KernelErrorCode } from '../errors/kernel-errors.js'
import type { RunState } from '../run/state.js'
import type { Tuning } from './ports.js'

const overloaded = { code: 'overloaded', message: 'Overloaded.', retryable: true } as const
const failing = (error: ErrorRecord): Line => ({
  blocks: [],
  finish: 'error',
  error,
  usage: null,
})

async function runOf(
  lines: Parameters<typeof scriptedModel>[0],
  tuning: Partial<Tuning> = {},
): Promise<{ run: RunState; asked: number }> {
  const model = scriptedModel(lines)
  const { engine } = hostOf(testAgent({ model }), { tuning: { retryMs: 1, ...tuning } })
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  return { run, asked: model.requests.length }
}

test('an overloaded provider is asked again within the turn, and the follower hears of it', async () => {
  const model = scriptedModel([failing(overloaded), failing(overloaded), [say('done')]])
  const { engine } = hostOf(testAgent({ model }), { tuning: { retryMs: 1 } })
  const retries: number[] = []
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  for await (const item of engine.follow(runId)) if (item.kind === 'retrying') retries.push(item.attempt)
  const run = await engine.state(runId)
  expect(run.state).toBe('completed')
  expect(run.turns.size).toBe(1)
  expect(retries.at(-1)).toBe(2)
})

test('a failure that no retry can help ends the run with the name of the failure', async () => {
  const { run, asked } = await runOf([failing({ code: 'auth', message: 'The key is not valid.', retryable: false })])
  expect(run.state).toBe('failed')
  expect(run.ended?.error).toMatchObject({ code: 'auth', message: 'The key is not valid.' })
  expect(asked).toBe(1)
})

test('a provider that never recovers ends the run after a bounded number of tries', async () => {
  const { run, asked } = await runOf(() => failing(overloaded), { attempts: 2 })
  expect(run.ended?.error?.code).toBe('overloaded')
  expect(asked).toBe(8)
})

test.each([
  ['a wait of two minutes is kept to the millisecond', 120_000, [1, 2]],
  ['a longer one is a person’s decision: nothing is asked again', 120_001, [1, 1]],
])('%s', (_, retryAfterMs, asked) => {
  const clock = calendar()
  const model = scriptedModel([failing({ ...overloaded, retryAfterMs }), [say('done')]])
  const { engine } = hostOf(testAgent({ model }), { clock, tuning: { retryMs: 1 } })
  engine.submit({ agent: 'tester', goal: 'go' })
  clock.pass(retryAfterMs - 1)
  expect(model.requests).toHaveLength(asked[0] as number)
  clock.pass(1)
  expect(model.requests).toHaveLength(asked[1] as number)
})

test('waits between attempts double, with a quarter more or less, up to half a minute', () => {
  const clock = calendar()
  const model = scriptedModel(() => failing(overloaded))
  const { engine } = hostOf(testAgent({ model }), { clock, tuning: { retryMs: 8_000, attempts: 5 } })
  const waits: number[] = []
  engine.subscribe((item) => {
    if (item.kind === 'retrying') waits.push(item.afterMs)
  })
  engine.submit({ agent: 'tester', goal: 'go' })
  for (let attempt = 1; attempt < 5; attempt++) clock.pass(40_000)
  for (const [index, most] of [8_000, 16_000, 30_000, 30_000].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(most * 0.75)
    expect(waits[index]).toBeLessThanOrEqual(most * 1.25)
  }
})

test('a stream that breaks after a finished call: the call runs, the turn is not said twice', async () => {
  const ran: unknown[] = []
  const note = testTool('note', (args) => {
    ran.push(args)
    return result('noted')
  })
  const broken: Line = {
    blocks: [callTool('note', { n: 1 })],
    finish: 'truncated',
    error: { code: 'stream-truncated', message: 'cut', retryable: true },
  }
  const model = scriptedModel([broken, [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [note] }), { tuning: { retryMs: 1 } })
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.state).toBe('completed')
  expect(ran).toEqual([{ n: 1 }])
  expect([...run.turns.values()].map(({ outcome }) => outcome)).toEqual(['failed', 'finished'])
})

test('a stream without progress is stopped and fails by name; one that goes on slowly is left alone', async () => {
  const clock = calendar()
  let aborted = false
  const slow: Line = async function* () {
    for (let piece = 0; piece < 3; piece++) {
      clock.pass(900)
      yield { kind: 'progress' }
    }
    clock.pass(900)
    yield { kind: 'finished', finish: 'error', usage: null, diagnostics: [], error: overloaded }
  }
  const stalled: Line = async function* (_request, signal) {
    clock.pass(900)
    yield { kind: 'progress' }
    clock.pass(1_000)
    aborted = signal.aborted
    yield { kind: 'block-ended', index: 0, block: say('too late') }
  }
  const model = scriptedModel([slow, stalled, [say('done')]])
  const { engine } = hostOf(testAgent({ model }), { clock, tuning: { stallMs: 1_000, attempts: 1 } })
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect([...run.turns.values()].map(({ error, blocks }) => [error?.code, blocks.length])).toEqual([
    ['overloaded', 0],
    ['model-stalled', 0],
    [undefined, 1],
  ])
  expect(aborted).toBe(true)
})

test('an empty completion is asked again with a word, then fails by name', async () => {
  const empty: Line = { blocks: [], finish: 'stop' }
  const recovered = await runOf([empty, [say('done')]])
  expect(recovered.run.state).toBe('completed')
  const { run, asked } = await runOf(() => empty)
  expect(run.ended?.error?.code).toBe('model-empty')
  expect(asked).toBe(3)
})

test('output that is neither call nor answer is told to the model, at most N times', async () => {
  const unreadable: Line = {
    blocks: [],
    finish: 'stop',
    error: { code: 'thought-only', message: 'Write an Action or a Final Answer.', retryable: false },
  }
  const model = scriptedModel([unreadable, [say('done')]])
  const { engine } = hostOf(testAgent({ model }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.state).toBe('completed')
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('Write an Action or a Final Answer.')
  expect((await runOf(() => unreadable)).run.ended?.error?.code).toBe('model-failed')
})

test('an answer cut at the output limit is not taken for a whole one', async () => {
  const { run } = await runOf([{ blocks: [say('The first half of')], finish: 'length' }])
  expect(run.state).toBe('failed')
  expect(run.ended?.error?.code).toBe('answer-cut' satisfies KernelErrorCode)
  expect(run.ended?.blocks).toEqual([{ kind: 'text', text: 'The first half of' }])
})

test('a refusal is named, and its words are kept', async () => {
  const { run } = await runOf([{ blocks: [say('I cannot help with that.')], finish: 'refusal' }])
  expect(run.ended).toMatchObject({
    state: 'failed',
    error: { code: 'model-refused' satisfies KernelErrorCode },
    blocks: [{ text: 'I cannot help with that.' }],
  })
})

test('a paused turn goes back as it is and goes on', async () => {
  const model = scriptedModel([{ blocks: [say('searching')], finish: 'paused' }, [say('found')]])
  const { engine } = hostOf(testAgent({ model }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.ended?.blocks).toEqual([{ kind: 'text', text: 'found' }])
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'assistant', blocks: [{ text: 'searching' }] })
})

test.each<[string, Line, string, string]>([
  ['stopped by a content filter', { blocks: [], finish: 'content-filter' }, 'content filter', 'content-filtered'],
  ['paused without an end', { blocks: [say('…')], finish: 'paused' }, 'paused the turn 17 times', 'model-failed'],
  ['without an end, at once', () => [] as never, 'without saying how', 'model-failed'],
  ['without an end, by and by', async function* () {}, 'without saying how', 'model-failed'],
  [
    'that breaks in the middle',
    async function* () {
      yield { kind: 'progress' }
      throw new Error('reset by /srv/proxy')
    },
    'reset by proxy',
    'model-failed',
  ],
])('a turn %s ends the run by name', async (_, line, said, code) => {
  const { run } = await runOf(() => line)
  expect(run.ended?.error).toMatchObject({ code, message: expect.stringContaining(said) })
})

test('all that a dialect says of a turn stands in the journal', async () => {
  const call = {
    kind: 'tool-call',
    name: 'look',
    args: {},
    argsText: '{"a"',
    problem: { code: 'args-truncated', message: 'The call did not arrive whole.', position: 4 },
    repairs: ['code-fence'],
    alias: 'call_1',
    author: AUTHOR,
    raw: { signature: 'c2ln' },
  } as const
  const line: Line = async function* () {
    yield { kind: 'block-ended', index: 0, block: call }
    yield { kind: 'finished', finish: 'tool-calls', usage: USAGE, diagnostics: ['args-truncated'], servedBy: 'm-2' }
  }
  const { run } = await runOf([line, [say('done')]])
  expect(run.turn('t1' as never).blocks).toEqual([{ ...call, callId: 't1.1' }])
  expect(run.turn('t1' as never).usage).toEqual(USAGE)
})

test('an answer keeps its sources and what is no text, and nothing else of the turn', async () => {
  const picture = { kind: 'image', mediaType: 'image/png', source: { kind: 'url', url: 'https://h/a.png' } } as const
  const cited = { kind: 'text', text: 'A lake.', citations: [{ url: 'https://h' }] } as const
  const thought = { kind: 'reasoning', text: 'Hm.', seal: 'none', author: AUTHOR } as const
  const { run } = await runOf([[thought, { ...cited, author: AUTHOR }, picture]])
  expect(run.ended?.blocks).toEqual([cited, picture])
})

test('a model that throws fails the turn instead of the process', async () => {
  const model = {
    ...scriptedModel([]),
    generate: () => {
      throw new Error('socket /var/run/model.sock is gone')
    },
  }
  const { engine } = hostOf(testAgent({ model }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.ended?.error?.code).toBe('model-failed')
  expect(run.ended?.error?.message).not.toContain('/var/run')
})

test.each([undefined, null, 'text', 7])(
  'a model that gives %j for a stream fails its turn, not its host',
  async (stream) => {
    const model = { ...scriptedModel([]), generate: () => stream as never }
    const { engine } = hostOf(testAgent({ model }))
    const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
    expect(run.ended?.error?.code).toBe('model-failed')
  },
)
