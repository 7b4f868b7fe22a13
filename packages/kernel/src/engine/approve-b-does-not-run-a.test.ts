import { expect, test } from 'vitest'
import type { TestHost } from '../../test/support/host.js'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { RequestId, RunId } from '../content/ids.js'
import { systemClock } from '../ports/clock.js'
import type { Agent } from './agent.js'

const ASK = { rules: [], otherwise: 'ask' } as const

function payments(): { ran: string[]; agent: Agent } {
  const ran: string[] = []
  const pay = testTool(
    'pay',
    ({ to }) => {
      ran.push(String(to))
      return result(`paid ${to}`)
    },
    { effect: 'once' },
  )
  const model = scriptedModel([[callTool('pay', { to: 'A' }), callTool('pay', { to: 'B' })], [say('done')]])
  return { ran, agent: testAgent({ model, tools: [pay], policy: ASK }) }
}

async function parked(host: TestHost): Promise<{ runId: RunId; requests: readonly RequestId[] }> {
  const runId = await host.engine.submit({ agent: 'tester', goal: 'pay A and B' })
  const run = await host.engine.drive(runId)
  expect(run.state).toBe('input-required')
  return { runId, requests: [...run.inputs.keys()] }
}

test('one of two approvals answered: B runs, A waits', async () => {
  const { ran, agent } = payments()
  const host = hostOf(agent)
  const { runId, requests } = await parked(host)
  await host.engine.answer(runId, requests[1] as RequestId, { kind: 'approve' })
  const run = await host.engine.drive(runId)
  expect(ran).toEqual(['B'])
  expect([...run.inputs.keys()]).toEqual([requests[0]])
  expect(run.state).toBe('input-required')
})

test('answers in reverse order, with one no, run what was approved and tell the model both in its own order', async () => {
  const { ran, agent } = payments()
  const host = hostOf(agent)
  const { runId, requests } = await parked(host)
  await host.engine.answer(runId, requests[1] as RequestId, { kind: 'approve' })
  await host.engine.answer(runId, requests[0] as RequestId, { kind: 'deny', reason: 'wrong account' })
  const run = await host.engine.drive(runId)
  expect(run.state).toBe('completed')
  expect(ran).toEqual(['B'])
  expect([...run.calls.values()].map(({ outcome }) => outcome)).toEqual(['denied', 'finished'])
  expect(JSON.stringify(run.call('t1.1' as never).content)).toContain('wrong account')
})

test('a second answer to the same request is refused by name', async () => {
  const { agent } = payments()
  const host = hostOf(agent)
  const { runId, requests } = await parked(host)
  await host.engine.answer(runId, requests[0] as RequestId, { kind: 'approve' })
  await host.engine.drive(runId)
  await expect(host.engine.answer(runId, requests[0] as RequestId, { kind: 'approve' })).rejects.toMatchObject({
    code: 'request-unknown',
  })
})

test('approvals survive the end of the process that asked', async () => {
  const { ran, agent } = payments()
  const first = hostOf(agent)
  const { runId, requests } = await parked(first)
  await first.engine.close()
  const second = hostOf(agent, first.ports)
  for (const request of requests) await second.engine.answer(runId, request, { kind: 'approve' })
  const run = await second.engine.drive(runId)
  expect(run.state).toBe('completed')
  expect([...ran].sort()).toEqual(['A', 'B'])
})

test('a tool whose definition changed after the approval asks again', async () => {
  const { ran, agent } = payments()
  const host = hostOf(agent)
  const { runId, requests } = await parked(host)
  // The answer is in the journal, but the process ends before the call begins.
  const [first] = requests as [RequestId]
  const seq = (await host.engine.state(runId)).seq
  await host.ports.journal.append(
    runId,
    [{ kind: 'input-answered', requestId: first, answer: { kind: 'approve' }, seq: seq + 1, at: 1 }],
    false,
  )
  const [pay] = agent.tools
  const changed = { ...agent, tools: [{ ...(pay as NonNullable<typeof pay>), description: 'pay, and mail everybody' }] }
  const second = hostOf(changed, host.ports)
  const run = await second.engine.drive(runId)
  expect(ran).toEqual([])
  const again = [...run.inputs.values()].find(({ callId }) => callId === 't1.1')
  expect(again?.requestId).not.toBe(first)
  expect(again?.reason).toMatch(/changed/)
})

test('arguments that the person changed are the ones that run, and the journal keeps both', async () => {
  const { ran, agent } = payments()
  const host = hostOf(agent)
  const { runId, requests } = await parked(host)
  await host.engine.answer(runId, requests[0] as RequestId, { kind: 'approve', args: { to: 'C' } }, 'ann')
  await host.engine.answer(runId, requests[1] as RequestId, { kind: 'deny' })
  const run = await host.engine.drive(runId)
  expect(ran).toEqual(['C'])
  expect(run.call('t1.1' as never).proposal.args).toEqual({ to: 'A' })
  expect(host.events(runId).find(({ kind }) => kind === 'call-amended')).toMatchObject({ args: { to: 'C' }, by: 'ann' })
})

test('a remembered consent covers what it says and no more, and ends with the run', async () => {
  const ran: string[] = []
  const write = testTool(
    'write',
    ({ path }) => {
      ran.push(String(path))
      return result('ok')
    },
    { effect: 'once' },
  )
  const script = () =>
    scriptedModel([
      [callTool('write', { path: 'out/a' })],
      [callTool('write', { path: 'out/b' }), callTool('write', { path: 'etc/passwd' })],
      [say('done')],
    ])
  const host = hostOf(testAgent({ model: script(), tools: [write], policy: ASK }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  const first = await host.engine.drive(runId)
  await host.engine.answer(runId, [...first.inputs.keys()][0] as RequestId, {
    kind: 'approve',
    remember: 'run',
    pattern: { path: 'out/*' },
  })
  const second = await host.engine.drive(runId)
  expect(ran).toEqual(['out/a', 'out/b'])
  expect([...second.inputs.values()].map(({ callId }) => second.call(callId).args)).toEqual([{ path: 'etc/passwd' }])

  const next = hostOf(testAgent({ model: script(), tools: [write], policy: ASK }), host.ports)
  const other = await next.engine.drive(await next.engine.submit({ agent: 'tester', goal: 'go' }))
  expect(other.inputs.size).toBe(1)
})

test('a consent for ever holds in the next run, until the definition changes', async () => {
  const tool = testTool('write', () => result('ok'), { effect: 'once' })
  const agentOf = (write = tool) =>
    testAgent({ model: scriptedModel([[callTool('write')], [say('done')]]), tools: [write], policy: ASK })
  const host = hostOf(agentOf())
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  const asked = await host.engine.drive(runId)
  await host.engine.answer(runId, [...asked.inputs.keys()][0] as RequestId, { kind: 'approve', remember: 'always' })
  expect((await host.engine.drive(runId)).state).toBe('completed')

  const again = hostOf(agentOf(), host.ports).engine
  expect((await again.drive(await again.submit({ agent: 'tester', goal: 'go' }))).state).toBe('completed')
  const changed = hostOf(agentOf({ ...tool, description: 'another' }), host.ports).engine
  expect((await changed.drive(await changed.submit({ agent: 'tester', goal: 'go' }))).state).toBe('input-required')
})

test('a model that repeats a declined call is not asked for again; after a new word of the user it is', async () => {
  const pay = testTool('pay', () => result('paid'), { effect: 'once' })
  const model = scriptedModel([
    [callTool('pay', { to: 'A' })],
    [callTool('pay', { to: 'A' })],
    [callTool('pay', { to: 'A' })],
  ])
  const host = hostOf(testAgent({ model, tools: [pay], policy: ASK, limits: { steps: 3 } }))
  const { engine } = host
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const asked = await engine.drive(runId)
  await engine.tell(runId, 'hold on')
  await engine.answer(runId, [...asked.inputs.keys()][0] as RequestId, { kind: 'deny' })
  const run = await engine.drive(runId)
  expect(run.turns.size).toBe(3)
  expect([...run.calls.values()].map(({ outcome }) => outcome)).toEqual(['denied', 'denied', 'denied'])
  expect(host.events(runId).filter(({ kind }) => kind === 'input-requested')).toHaveLength(1)
})

test('a request that nobody answers in time counts as declined, and a late answer runs nothing', async () => {
  let now = 1_000
  const clock = { ...systemClock, now: () => now }
  const { ran, agent } = payments()
  const host = hostOf({ ...agent, policy: { ...ASK, answerWithinMs: 60_000 } }, { clock })
  const { runId, requests } = await parked(host)
  now += 60_001
  await host.engine.answer(runId, requests[0] as RequestId, { kind: 'approve' })
  const run = await host.engine.drive(runId)
  expect(ran).toEqual([])
  expect(run.state).toBe('completed')
  expect(JSON.stringify(run.call('t1.2' as never).content)).toContain('in time')
})

test('a remembered consent ends when it says', async () => {
  let now = 1_000
  const clock = { ...systemClock, now: () => now }
  const pay = testTool(
    'pay',
    () => {
      now += 10_000
      return result('paid')
    },
    { effect: 'once' },
  )
  const model = scriptedModel([
    [callTool('pay', { to: 'A' })],
    [callTool('pay', { to: 'B' })],
    [callTool('pay', { to: 'C' })],
    [say('done')],
  ])
  const host = hostOf(testAgent({ model, tools: [pay], policy: ASK }), { clock })
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  const asked = await host.engine.drive(runId)
  await host.engine.answer(runId, [...asked.inputs.keys()][0] as RequestId, {
    kind: 'approve',
    remember: 'run',
    until: 15_000,
  })
  const run = await host.engine.drive(runId)
  expect([...run.calls.values()].map(({ outcome }) => outcome)).toEqual(['finished', 'finished', undefined])
})
