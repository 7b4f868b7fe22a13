import { expect, test } from 'vitest'
import { hostOf, memoryPorts, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'

const FAILURES = [
  [
    'at once',
    () => {
      throw new Error('database is locked')
    },
  ],
  ['by promise', () => Promise.reject(new Error('database is locked'))],
] as const

/** A tool that answers once `release` was called. */
function waiting() {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { release, wait: testTool('wait', (async () => released.then(() => result('ok'))) as never) }
}

test.each(FAILURES)('a lease that cannot be renewed just now, %s, takes no run away', async (_, fail) => {
  const { leases, ...ports } = memoryPorts()
  const { release, wait } = waiting()
  let held = false
  let failed = 0
  const acquire: typeof leases.acquire = (...lease) => {
    if (!held) {
      held = true
      return leases.acquire(...lease)
    }
    if (++failed === 3) release()
    return fail()
  }
  const model = scriptedModel([[callTool('wait')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [wait] }), {
    ...ports,
    leases: { ...leases, acquire },
    tuning: { leaseMs: 3 },
  })
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.state).toBe('completed')
  expect(failed).toBeGreaterThanOrEqual(3)
})

test.each(FAILURES)('word that cannot be read just now, %s, is read later', async (_, fail) => {
  const { inbox, ...ports } = memoryPorts()
  const { release, wait } = waiting()
  let looks = 0
  const peek: typeof inbox.peek = (runId) => (++looks === 1 ? fail() : inbox.peek(runId))
  const model = scriptedModel([[callTool('wait')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [wait] }), { ...ports, inbox: { ...inbox, peek } })
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await engine.tell(runId, 'and the weather')
  for await (const item of engine.follow(runId))
    if (item.kind === 'event' && item.event.kind === 'message-received') release()
  expect((await engine.state(runId)).state).toBe('completed')
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('and the weather')
})

test.each(FAILURES)('word that cannot be taken out of the inbox, %s, is done once', async (_, fail) => {
  const { inbox, ...ports } = memoryPorts()
  let paid = 0
  const pay = testTool('pay', () => result(`paid ${++paid}`) as never, { effect: 'once' })
  const model = scriptedModel([[callTool('pay'), callTool('pay', { again: true })], [say('done')]])
  const agent = testAgent({ model, tools: [pay], policy: { rules: [], otherwise: 'ask' } })
  const { engine, events } = hostOf(agent, { ...ports, inbox: { ...inbox, remove: fail } })
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const [first, second] = [...(await engine.drive(runId)).inputs.keys()]

  await engine.answer(runId, first as never, { kind: 'approve' })
  const parked = await engine.drive(runId)
  expect([parked.state, paid, parked.call('t1.1' as never).outcome]).toEqual(['input-required', 1, 'finished'])
  const length = events(runId).length
  await engine.answer(runId, second as never, { kind: 'approve' })
  expect((await engine.drive(runId)).state).toBe('completed')
  expect(paid).toBe(2)
  expect(
    events(runId)
      .slice(length)
      .filter(({ kind }) => kind === 'input-answered'),
  ).toHaveLength(1)
})

test.each(FAILURES)('a run parks although nobody can tell whether word came meanwhile, %s', async (_, fail) => {
  const { inbox, ...ports } = memoryPorts()
  const pay = testTool('pay', () => result('paid'), { effect: 'once' })
  const agent = testAgent({
    model: scriptedModel([[callTool('pay')], [say('done')]]),
    tools: [pay],
    policy: { rules: [], otherwise: 'ask' },
  })
  const { engine } = hostOf(agent, { ...ports, inbox: { ...inbox, peek: fail } })
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  for await (const _ of engine.follow(runId, { untilParked: true }));
  expect((await engine.state(runId)).state).toBe('input-required')
})
