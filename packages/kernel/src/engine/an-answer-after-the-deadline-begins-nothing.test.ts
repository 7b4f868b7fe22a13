import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { Effect } from '../ports/tool.js'

const END = 60_000

/** A clock that stands where it is put. */
function clockAt(now: number) {
  return { now: () => now, after: () => () => undefined }
}

function payer(effect: Effect, run: () => unknown, otherwise: 'allow' | 'ask') {
  let ran = 0
  const pay = testTool(
    'pay',
    (() => {
      ran++
      return run()
    }) as never,
    { effect },
  )
  const model = scriptedModel([[callTool('pay')], [say('done')]])
  return { agent: testAgent({ model, tools: [pay], policy: { rules: [], otherwise } }), model, ran: () => ran }
}

test('a consent that is given after the deadline ends the run and begins nothing', async () => {
  const { agent, ran } = payer('once', () => result('paid'), 'ask')
  const before = hostOf(agent, { clock: clockAt(1_000) })
  const runId = await before.engine.submit({ agent: 'tester', goal: 'go', deadline: END })
  const asked = await before.engine.drive(runId)
  expect(asked.state).toBe('input-required')

  const { engine } = hostOf(agent, { ...before.ports, clock: clockAt(END + 1) })
  await engine.answer(runId, [...asked.inputs.keys()][0] as never, { kind: 'approve' })
  const run = await engine.drive(runId)
  expect(run.ended).toMatchObject({ state: 'failed', error: { code: 'deadline-passed' } })
  expect([ran(), run.call('t1.1' as never).outcome]).toEqual([0, 'canceled'])
})

test.each([
  ['once', 'in-doubt'],
  ['idempotent', 'in-doubt'],
  ['pure', 'canceled'],
] as const)(
  'a %s call that was cut off before the deadline is not begun again after it: %s',
  async (effect, outcome) => {
    const { agent, ran } = payer(effect, () => new Promise(() => undefined), 'allow')
    const before = hostOf(agent, { clock: clockAt(1_000) })
    const runId = await before.engine.submit({ agent: 'tester', goal: 'go', deadline: END })
    await before.engine.close()

    const { engine } = hostOf(agent, { ...before.ports, clock: clockAt(END + 1) })
    const run = await engine.drive(runId)
    expect(run.ended?.error?.code).toBe('deadline-passed')
    expect([ran(), run.call('t1.1' as never).outcome]).toEqual([1, outcome])
  },
)

test('a run that comes too late asks no model', async () => {
  const { agent, model } = payer('pure', () => result('paid'), 'allow')
  const { engine, events } = hostOf(agent, { clock: clockAt(END) })
  const runId = await engine.submit({ agent: 'tester', goal: 'go', deadline: END })
  const run = await engine.drive(runId)
  expect(run.ended?.error?.code).toBe('deadline-passed')
  expect([model.requests.length, events(runId).length]).toEqual([0, 2])
})
