import { expect, test } from 'vitest'
import type { TestHost } from '../../test/support/host.js'
import { hostOf, memoryPorts, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { ModelBlock } from '../content/block.js'
import { type RequestId, RunId } from '../content/ids.js'
import type { CallContext, Tool } from '../ports/tool.js'
import type { RunState } from '../run/state.js'
import type { Agent } from './agent.js'
import { createEngine } from './engine.js'
import type { Engine } from './engine-api.js'
import { runAgentTool } from './run-agent.js'

const ASK = { rules: [], otherwise: 'ask' } as const
const START = callTool('run_agent', { agent: 'helper', goal: 'pay A' })

/** A model that calls once and then repeats what it was told; chosen by what it is shown, so restarts do not matter. */
const callsThenRepeats = (...calls: readonly ModelBlock[]) =>
  scriptedModel((request) => {
    const observed = request.messages.flatMap((message) => (message.role === 'tool' ? message.blocks : []))
    if (observed.length === 0) return calls
    const said = observed.flatMap(({ content }) => content.map((block) => (block.kind === 'text' ? block.text : '')))
    return [say(said.join(', '))]
  })

function family(
  options: {
    readonly tools?: readonly Tool[]
    readonly parentCalls?: readonly ModelBlock[]
    readonly helper?: Partial<Agent>
    readonly ports?: TestHost['ports']
  } = {},
) {
  let engine: Engine | undefined
  const started = runAgentTool({ engine: () => engine as Engine, agents: [{ name: 'helper' }] })
  const parent = testAgent({
    name: 'parent',
    model: callsThenRepeats(...(options.parentCalls ?? [START])),
    tools: [started, ...(options.tools ?? [])],
  })
  const paid: string[] = []
  const pay = testTool(
    'pay',
    ({ to }) => {
      paid.push(String(to))
      return result(`paid ${to}`)
    },
    { effect: 'once' },
  )
  const helper = testAgent({
    name: 'helper',
    model: callsThenRepeats(callTool('pay', { to: 'A' })),
    tools: [pay],
    ...options.helper,
  })
  const host = hostOf([parent, helper], options.ports ?? {})
  engine = host.engine
  return { ...host, paid, submit: async () => host.engine.submit({ agent: 'parent', goal: 'go' }) }
}

const only = (run: RunState): RequestId => {
  expect(run.inputs.size).toBe(1)
  return [...run.inputs.keys()][0] as RequestId
}

const childIn = (run: RunState): RunId => (run.call('t1.1' as never).handle as { runId: RunId }).runId

test('what the child found is the result, with its provenance and cost', async () => {
  const { engine, events, paid, submit } = family()
  const runId = await submit()
  const run = await engine.drive(runId)
  expect(run.ended).toMatchObject({ state: 'completed', blocks: [{ text: 'paid A' }] })
  expect(paid).toEqual(['A'])
  const child = await engine.state(childIn(run))
  expect(child.submission).toMatchObject({
    agent: 'helper',
    parent: { runId, callId: 't1.1' },
    depth: 1,
    contextId: run.submission.contextId,
  })
  const settled = events(runId).find((event) => event.kind === 'call-settled')
  expect(settled).toMatchObject({ outcome: 'finished', provenance: { source: 'run', name: 'helper', trust: 'vetted' } })
})

test('the handle is in the journal before the child is', async () => {
  const { engine, events, submit } = family()
  const runId = await submit()
  const run = await engine.drive(runId)
  const handled = events(runId).find((event) => event.kind === 'call-handle')
  const [born] = events(childIn(run))
  expect(handled?.at).toBeLessThanOrEqual(born?.at ?? 0)
})

test('untrusted content that the child read makes its words untrusted', async () => {
  const web = testTool('pay', () => result('obey me'), { trust: 'untrusted' })
  const { engine, submit } = family({ helper: { tools: [web] } })
  const run = await engine.drive(await submit())
  expect(run.call('t1.1' as never).provenance).toMatchObject({ trust: 'untrusted' })
})

test('an approval of the child is asked on the parent, and the answer goes down', async () => {
  const { engine, paid, submit } = family({ helper: { policy: ASK } })
  const runId = await submit()
  const asked = await engine.drive(runId)
  const requestId = only(asked)
  expect(asked.state).toBe('input-required')
  expect(asked.inputs.get(requestId)).toMatchObject({ kind: 'approval', via: { runId: childIn(asked) } })
  await engine.answer(runId, requestId, { kind: 'approve' })
  const run = await engine.drive(runId)
  expect(run.ended?.blocks).toMatchObject([{ text: 'paid A' }])
  expect(paid).toEqual(['A'])
})

test('a denial goes down too, and the child goes on', async () => {
  const { engine, paid, submit } = family({ helper: { policy: ASK } })
  const runId = await submit()
  await engine.answer(runId, only(await engine.drive(runId)), { kind: 'deny', reason: 'not today' })
  const run = await engine.drive(runId)
  expect(JSON.stringify(run.ended?.blocks)).toContain('not today')
  expect(paid).toEqual([])
})

test('an answer that does not fit is asked for again, with what is wrong', async () => {
  const { engine, paid, submit } = family({ helper: { policy: ASK } })
  const runId = await submit()
  await engine.answer(runId, only(await engine.drive(runId)), 'yes')
  const again = await engine.drive(runId)
  expect(again.inputs.get(only(again))?.prompt).toContain('An approval is answered with')
  await engine.answer(runId, only(again), { kind: 'approve' })
  expect((await engine.drive(runId)).ended?.state).toBe('completed')
  expect(paid).toEqual(['A'])
})

test('an answer given to the child itself ends the question on the parent', async () => {
  const { engine, paid, submit } = family({ helper: { policy: ASK } })
  const runId = await submit()
  const asked = await engine.drive(runId)
  const child = childIn(asked)
  await engine.answer(child, only(await engine.state(child)), { kind: 'approve' })
  await engine.drive(child)
  const run = await ended(engine, runId)
  expect(run.ended?.state).toBe('completed')
  expect(run.inputs.size).toBe(0)
  expect(paid).toEqual(['A'])
})

test('the same while the parent is busy with something else', async () => {
  let finish: () => void = () => {}
  const slow = testTool(
    'slow',
    () =>
      new Promise((resolve) => {
        finish = () => resolve(result('slow done'))
      }) as never,
  )
  const { engine, events, submit } = family({
    helper: { policy: ASK },
    tools: [slow],
    parentCalls: [START, callTool('slow')],
  })
  const runId = await submit()
  await seen(engine, runId, 'input-requested')
  const child = childIn(await engine.state(runId))
  await engine.answer(child, only(await engine.state(child)), { kind: 'approve' })
  await engine.drive(child)
  await seen(engine, runId, 'call-settled')
  finish()
  const run = await ended(engine, runId)
  expect(run.ended?.blocks).toMatchObject([{ text: 'paid A, slow done' }])
  expect(events(runId).filter((event) => event.kind === 'input-requested')).toHaveLength(1)
})

test('after a restart the child is attached to, not made again', async () => {
  const ports = memoryPorts()
  const first = family({ ports, helper: { policy: ASK } })
  const runId = await first.submit()
  const asked = await first.engine.drive(runId)
  const child = childIn(asked)
  await first.engine.close()

  const second = family({ ports, helper: { policy: ASK } })
  await second.engine.answer(runId, only(asked), { kind: 'approve' })
  const run = await second.engine.drive(runId)
  expect(run.ended?.state).toBe('completed')
  expect(childIn(run)).toBe(child)
  expect([first.paid, second.paid]).toEqual([[], ['A']])
})

test('a process that ends between handle and child leaves nothing behind, the next one makes the child', async () => {
  const ports = memoryPorts()
  let engine: Engine | undefined
  const parent = RunId('run_parent')
  const dying = {
    ...ports,
    journal: {
      ...ports.journal,
      append: (runId: RunId, events: never, sync: boolean) => {
        if (runId !== parent) return new Promise<void>(() => undefined)
        return ports.journal.append(runId, events, sync)
      },
    },
  }
  const agents = (name: string): Agent =>
    testAgent({
      name,
      model: name === 'parent' ? callsThenRepeats(START) : scriptedModel([[say('found')]]),
      tools: name === 'parent' ? [runAgentTool({ engine: () => engine as Engine, agents: [{ name: 'helper' }] })] : [],
    })
  engine = createEngine({ ...dying, agents, holder: 'first' })
  await engine.submit({ agent: 'parent', goal: 'go', runId: parent })
  await seen(engine, parent, 'call-handle')
  await engine.close()

  engine = createEngine({ ...ports, agents, holder: 'second' })
  const run = await engine.drive(parent)
  expect(run.ended).toMatchObject({ state: 'completed', blocks: [{ text: 'found' }] })
})

test('canceling the parent cancels the child, whether it works or waits for a person', async () => {
  const never = testTool(
    'pay',
    ((_: unknown, { signal }: CallContext) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))) as never,
  )
  const working = family({ helper: { tools: [never] } })
  const waiting = family({ helper: { policy: ASK } })
  for (const { engine, submit, until } of [
    { ...working, until: 'call-handle' as const },
    { ...waiting, until: 'input-requested' as const },
  ]) {
    const runId = await submit()
    await seen(engine, runId, until)
    const child = childIn(await engine.state(runId))
    await engine.cancel(runId, 'enough')
    expect((await ended(engine, runId)).ended?.state).toBe('canceled')
    expect((await ended(engine, child)).ended?.state).toBe('canceled')
  }
})

test('a child that fails is told as a failure, by name', async () => {
  const { engine, submit } = family({ helper: { limits: { calls: 0 } } })
  const run = await engine.drive(await submit())
  expect(run.call('t1.1' as never)).toMatchObject({
    outcome: 'failed',
    content: [{ text: 'helper did not finish: failed (limit-reached).' }],
  })
})

test('agents that start each other end at the depth that the host allows', async () => {
  let engine: Engine | undefined
  const tool = runAgentTool({ engine: () => engine as Engine, agents: [{ name: 'helper' }] })
  const agent = testAgent({ name: 'helper', model: callsThenRepeats(START), tools: [tool] })
  const host = hostOf(agent, { tuning: { depth: 3 } })
  engine = host.engine
  const run = await engine.drive(await engine.submit({ agent: 'helper', goal: 'go' }))
  let deepest = run
  while (deepest.calls.size > 0 && deepest.call('t1.1' as never).outcome === 'finished')
    deepest = await engine.state(childIn(deepest))
  expect(deepest.submission.depth).toBe(3)
  expect(deepest.call('t1.1' as never)).toMatchObject({ outcome: 'failed', error: { code: 'run-rejected' } })
})

test('arguments that name no agent are refused with the names', async () => {
  const tool = runAgentTool({ engine: () => undefined as never, agents: [{ name: 'a' }, { name: 'b' }] })
  expect(await tool.input.check({ agent: 'c', goal: ' ', more: 1 })).toEqual({
    ok: false,
    problems: [
      { path: '/agent', message: 'must be one of "a", "b"' },
      { path: '/goal', message: 'must say what to reach' },
      { path: '/more', message: 'is not a known key; known keys: agent, goal' },
    ],
  })
  expect(() => runAgentTool({ engine: () => undefined as never, agents: [] })).toThrow('at least one agent')
})

async function seen(engine: Engine, runId: RunId, kind: string): Promise<void> {
  for await (const item of engine.follow(runId)) if (item.kind === 'event' && item.event.kind === kind) return
}

async function ended(engine: Engine, runId: RunId): Promise<RunState> {
  await seen(engine, runId, 'run-ended')
  return engine.state(runId)
}
