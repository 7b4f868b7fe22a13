import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { Limits } from '../run/events.js'
import type { RunState } from '../run/state.js'

const endless = () => scriptedModel(() => [callTool('step')], { prices: { input: 1_000, output: 1_000 } })
const step = testTool('step', () => result('ok'))

async function limited(limits: Limits): Promise<RunState> {
  const { engine } = hostOf(testAgent({ model: endless(), tools: [step] }))
  return engine.drive(await engine.submit({ agent: 'tester', goal: 'go', limits }))
}

test.each([
  ['steps', { steps: 5 }, 5],
  ['calls', { calls: 3, steps: 50 }, 4],
  ['tokens', { tokens: 40 }, 3],
  ['money', { money: 0.02 }, 2],
] as const)('the limit of %s ends the run, and every call has its observation', async (name, limits, turns) => {
  const run = await limited(limits)
  expect(run.ended?.error).toMatchObject({ code: 'limit-reached', message: expect.stringContaining(`limits.${name}`) })
  expect(run.turns.size).toBe(turns)
  expect(run.unsettled.size).toBe(0)
})

test('a run without limits of its own stops after a hundred steps', async () => {
  expect((await limited({})).turns.size).toBe(100)
})

test.each([
  ['deadline', () => ({ deadline: Date.now() + 15 }), 'deadline-passed'],
  ['wall time', () => ({ limits: { wallMs: 15 } }), 'limit-reached'],
] as const)('a passed %s stops what is under way', async (_, options, code) => {
  let aborted = false
  const hang = testTool(
    'hang',
    ((_args: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          aborted = true
          reject(signal.reason)
        }),
      )) as never,
  )
  const model = scriptedModel([[callTool('hang')], [say('late')]])
  const { engine } = hostOf(testAgent({ model, tools: [hang] }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go', ...options() }))
  expect(run.ended?.error?.code).toBe(code)
  expect(aborted).toBe(true)
})

test('time parked on a person does not count as work', async () => {
  let now = 1_000_000
  const clock = {
    now: () => now,
    after: (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
  }
  const pay = testTool('pay', () => result('paid'), { effect: 'once' })
  const model = scriptedModel([[callTool('pay')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [pay], policy: { rules: [], otherwise: 'ask' } }), { clock })
  const runId = await engine.submit({ agent: 'tester', goal: 'go', limits: { wallMs: 60_000 } })
  const asked = await engine.drive(runId)
  now += 90 * 24 * 3600_000
  await engine.answer(runId, [...asked.inputs.keys()][0] as never, { kind: 'approve' })
  const run = await engine.drive(runId)
  expect(run.state).toBe('completed')
  expect(run.totals.waitedMs).toBe(90 * 24 * 3600_000)
  expect(run.totals.activeMs).toBe(0)
})
