import { expect, test } from 'vitest'
import type { TestHost } from '../../test/support/host.js'
import { hostOf, memoryPorts, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool, texts } from '../../test/support/tools.js'
import { toolDigest } from '../broker/consent.js'
import type { RequestId, RunId } from '../content/ids.js'
import type { Json } from '../content/json.js'
import { systemClock } from '../ports/clock.js'
import type { Tool } from '../ports/tool.js'
import type { Grant } from '../run/events.js'
import type { Agent } from './agent.js'

const ASK = { rules: [], otherwise: 'ask' } as const

function payments(): { ran: string[]; pay: Tool; agent: Agent } {
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
  return { ran, pay, agent: testAgent({ model, tools: [pay], policy: ASK }) }
}

/** What a person would have kept for `pay`. */
const FOR_GOOD: Grant = {
  grantId: 'g1',
  tool: 'pay',
  origin: { kind: 'function', name: 'tests' },
  toolDigest: toolDigest(payments().pay, memoryPorts().digest),
  scope: 'always',
  grantedBy: 'cli',
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

test.each<[string, Json]>([
  ['no approval at all', 'yes'],
  ['neither yes nor no', { kind: 'maybe' }],
  ['a yes to arguments that do not fit', { kind: 'approve', args: { to: 7 } }],
])('an answer that is %s is refused by name, and the request stays open', async (_, answer) => {
  const { ran, agent } = payments()
  const tools = agent.tools.map((tool) => ({ ...tool, input: texts('to') }))
  const host = hostOf({ ...agent, tools })
  const { runId, requests } = await parked(host)
  const [first] = requests as [RequestId]
  await expect(host.engine.answer(runId, first, answer)).rejects.toMatchObject({ code: 'answer-invalid' })
  expect([...(await host.engine.drive(runId)).inputs.keys()]).toEqual(requests)
  expect(ran).toEqual([])
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

test.each<[string, () => Promise<readonly Grant[]>, string]>([
  ['covers the call', async () => [FOR_GOOD], 'completed'],
  ['is for another server', async () => [{ ...FOR_GOOD, origin: { kind: 'mcp', name: 'tests' } }], 'input-required'],
  ['cannot be read', () => Promise.reject(new Error('the store is gone')), 'input-required'],
])('a consent that is kept elsewhere and %s: the run is %3$s', async (_, list, state) => {
  const { ran, agent } = payments()
  const { engine } = hostOf(agent, { grants: { list, add: async () => undefined } })
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'pay A and B' }))
  expect(run.state).toBe(state)
  expect(ran).toEqual(state === 'completed' ? ['A', 'B'] : [])
  expect(run.inputs.size).toBe(state === 'completed' ? 0 : 2)
})

test('a run that is canceled while a consent is looked up runs nothing', async () => {
  const { ran, agent } = payments()
  let found: (grants: readonly Grant[]) => void = () => undefined
  const list = () => new Promise<readonly Grant[]>((resolve) => (found = resolve))
  const { engine } = hostOf(agent, { grants: { list, add: async () => undefined } })
  const runId = await engine.submit({ agent: 'tester', goal: 'pay A and B' })
  await engine.cancel(runId)
  found([FOR_GOOD])
  expect((await engine.drive(runId)).state).toBe('canceled')
  expect(ran).toEqual([])
})

test.each([
  ['call', [], 'input-required'],
  ['run', ['run'], 'completed'],
] as const)(
  'a policy that lets a consent hold for one %s lets it hold no longer, whatever the person says',
  async (rememberAtMost, scopes, state) => {
    const pay = testTool('pay', () => result('paid'), { effect: 'once' })
    const model = scriptedModel([[callTool('pay')], [callTool('pay')], [say('done')]])
    const host = hostOf(testAgent({ model, tools: [pay], policy: { ...ASK, rememberAtMost } }))
    const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
    const asked = await host.engine.drive(runId)
    await host.engine.answer(runId, [...asked.inputs.keys()][0] as RequestId, { kind: 'approve', remember: 'always' })
    const run = await host.engine.drive(runId)
    expect(run.state).toBe(state)
    expect(run.grants.map(({ scope }) => scope)).toEqual(scopes)
    expect(host.ports.grants.list('pay')).toEqual([])
  },
)

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
  const listen = testTool('listen', async () => {
    await host.engine.tell(runId, 'pay him after all')
    return result('heard')
  })
  const model = scriptedModel([
    [callTool('pay', { to: 'A' })],
    [callTool('pay', { to: 'A' }), callTool('listen')],
    [callTool('pay', { to: 'A' }), callTool('pay', { to: 'B' })],
  ])
  const policy = { rules: [{ disposition: 'allow', tool: 'listen' }], otherwise: 'ask' } as const
  const host = hostOf(testAgent({ model, tools: [pay, listen], policy }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  const asked = await host.engine.drive(runId)
  await host.engine.answer(runId, [...asked.inputs.keys()][0] as RequestId, { kind: 'deny' })
  const run = await host.engine.drive(runId)
  expect([...run.calls.values()].map(({ outcome }) => outcome)).toEqual([
    'denied',
    'denied',
    'finished',
    undefined,
    undefined,
  ])
  expect([...run.inputs.values()].map(({ callId }) => callId)).toEqual(['t3.1', 't3.2'])
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
