import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { testTool } from '../../test/support/tools.js'
import { text } from '../content/block.js'
import { TenonError } from '../errors/error-table.js'
import type { CallContext, HandEvent, InputNeed } from '../ports/tool.js'

const TRAITS = { retryable: false, modelVisible: true, userVisible: true }

const lines = () => scriptedModel([[callTool('act')], [say('done')]])

test('what was thrown as unsure leaves the call in doubt, with its own code and words', async () => {
  const gone = (): never => {
    throw new TenonError('peer-gone', 'It may have happened.', { ...TRAITS, inDoubt: true })
  }
  const act = testTool('act', gone, { effect: 'once' })
  const { engine } = hostOf(testAgent({ model: lines(), tools: [act] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const [call] = (await engine.drive(runId)).calls.values()
  expect(call).toMatchObject({
    outcome: 'in-doubt',
    error: { code: 'peer-gone', message: 'It may have happened.' },
    content: [{ text: 'It may have happened.' }],
  })
})

test('a result that is a failure keeps its content for the model and its code for programs', async () => {
  const error = { code: 'task-failed', message: 'The disk is full.', retryable: false }
  const act = testTool('act', () => ({ kind: 'result', content: [text('half of it')], isError: true, error }))
  const { engine } = hostOf(testAgent({ model: lines(), tools: [act] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const [call] = (await engine.drive(runId)).calls.values()
  expect(call).toMatchObject({ outcome: 'failed', error, content: [{ text: 'half of it' }] })
})

test('what a hand asks is asked as it said, and the answer comes with who gave it and what came along', async () => {
  const need: InputNeed = {
    key: 'region',
    kind: 'question',
    prompt: 'Which region?',
    schema: { enum: ['north', 'south'] },
    resume: { page: 2 },
    forHost: true,
    via: { peer: 'map', requestId: 'r1' },
  }
  const act = testTool('act', async function* (_, { answers: [answer] }): AsyncGenerator<HandEvent> {
    if (answer) yield { kind: 'result', content: [text(JSON.stringify(answer))] }
    else yield { kind: 'needs-input', needs: [need, { ...need, key: 'again' }, need] }
  })
  const { engine, events } = hostOf(testAgent({ model: lines(), tools: [act] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const [first, second, ...more] = [...(await engine.drive(runId)).inputs.values()]
  expect(first).toMatchObject(need)
  expect([second?.key, more]).toEqual(['again', []])
  await engine.answer(runId, first!.requestId, 'north', 'ann', { face: 'cli' })
  expect(events(runId).find(({ kind }) => kind === 'input-answered')).toMatchObject({
    answer: 'north',
    by: 'ann',
    metadata: { face: 'cli' },
  })
})

test('what a call cost and how far it is are told', async () => {
  const act = testTool('act', (_, { progress }) => {
    progress('half', 1, 2)
    return { kind: 'result', content: [text('ok')], cost: 0.25 }
  })
  const { engine } = hostOf(testAgent({ model: lines(), tools: [act] }))
  const told: unknown[] = []
  engine.subscribe((item) => {
    if (item.kind === 'progress') told.push([item.message, item.done, item.total])
  })
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(told).toEqual([['half', 1, 2]])
  expect([run.call('t1.1' as never).cost, run.totals.cost]).toEqual([0.25, 0.25])
})

test('word from elsewhere enters a hand again that waits for a person, and its question is withdrawn', async () => {
  let settled = false
  async function* wait({ handle }: CallContext): AsyncGenerator<HandEvent> {
    if (handle === undefined) yield { kind: 'handle', handle: { at: 'peer' } }
    if (settled) {
      yield { kind: 'input-withdrawn', key: 'sign-in' }
      yield { kind: 'result', content: [text('went on by itself')] }
    } else yield { kind: 'needs-input', needs: [{ key: 'sign-in', kind: 'auth', prompt: 'Sign in.', resume: null }] }
  }
  const act = testTool('act', (_, context) => wait(context), { effect: 'once' })
  const { engine } = hostOf(testAgent({ model: lines(), tools: [act] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const parked = await engine.drive(runId)
  expect(parked.state).toBe('auth-required')
  const [waiting] = parked.calls.keys()
  await engine.wake(runId, waiting!)
  expect((await engine.drive(runId)).inputs.size).toBe(1)
  settled = true
  await engine.wake(runId, waiting!)
  const run = await engine.drive(runId)
  expect(run.state).toBe('completed')
  expect([...run.calls.values()]).toMatchObject([{ content: [{ text: 'went on by itself' }] }])
  await engine.wake(runId, waiting!)
})
