import { expect, test } from 'vitest'
import type { CallId } from '../src/content/ids.js'
import { ROOT_SCOPE } from '../src/content/ids.js'
import { hostMessage } from '../src/content/message.js'
import { TenonError } from '../src/errors/error-table.js'
import type { Command, HostStep, Planner } from '../src/planner/command.js'
import { react, reactIn } from '../src/planner/react.js'
import type { RunState } from '../src/run/state.js'
import { hostOf, testAgent } from './support/host.js'
import { callTool, say, scriptedModel } from './support/scripted-model.js'
import { result, testTool } from './support/tools.js'

/** Looks once before the model is asked for the first time. */
const lookFirst: Planner = {
  name: 'look-first',
  version: 1,
  next: (run) =>
    run.lastTurn() === undefined
      ? [{ kind: 'write', scope: ROOT_SCOPE, purpose: 'plan', blocks: [{ tool: 'look', args: {} }] }]
      : react().next(run),
}

test('the planner of the README writes a turn of its own; its name and version stand in the journal', async () => {
  const model = scriptedModel([[say('done')]])
  const look = testTool('look', () => result('a lake'))
  const host = hostOf(testAgent({ model, tools: [look], planner: lookFirst }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  const run = await host.engine.drive(runId)
  expect(run.state).toBe('completed')
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('a lake')
  expect(host.events(runId)[0]).toMatchObject({ planner: { name: 'look-first', version: 1 } })
})

test('a planner with nothing to do is a failure with a name, not a hang', async () => {
  const idle: Planner = { name: 'idle', version: 1, next: () => [] }
  const { engine } = hostOf(testAgent({ model: scriptedModel([]), planner: idle }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.ended?.error?.code).toBe('planner-stuck')
})

test('a scope has a goal and a history of its own and closes with its result', async () => {
  const inner = 'inner' as typeof ROOT_SCOPE
  const scoped: Planner = {
    name: 'scoped',
    version: 1,
    next: (run) => {
      const scope = run.scopes.get(inner)
      if (!scope)
        return [
          {
            kind: 'open',
            scope: inner,
            parent: ROOT_SCOPE,
            goal: {
              role: 'user',
              blocks: [{ kind: 'text', text: 'part' }],
              provenance: { source: 'host', trust: 'host' },
            },
          },
        ]
      if (scope.closed) return [{ kind: 'finish', blocks: scope.closed.blocks }]
      return reactIn(run, inner)
    },
  }
  const model = scriptedModel([[say('part done')]])
  const { engine } = hostOf(testAgent({ model, planner: scoped }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'whole' }))
  expect(run.ended?.blocks).toEqual([{ kind: 'text', text: 'part done' }])
  expect(model.requests[0]?.messages).toMatchObject([{ blocks: [{ text: 'part' }] }])
})

/** Writes a turn of these steps, then does what `then` says until it says nothing. */
const writing = (blocks: readonly HostStep[], then: (run: RunState) => readonly Command[]): Planner => ({
  name: 'writing',
  version: 1,
  next: (run) => (run.turnCount === 0 ? [{ kind: 'write', scope: ROOT_SCOPE, purpose: 'plan', blocks }] : then(run)),
})

test('a planner cancels a call that it does not need any more, and the hand hears why', async () => {
  let reason: unknown
  const hang = testTool('hang', (_, { signal }) => {
    signal.addEventListener('abort', () => (reason = signal.reason))
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) as never
  })
  const look = testTool('look', () => result('a lake'))
  const planner = writing(
    [
      { tool: 'hang', args: {} },
      { tool: 'look', args: {} },
    ],
    (run) => {
      const [slow, quick] = [...run.steps.all.keys()] as [CallId, CallId]
      if (run.ready().size > 0) return [...run.ready()].map((callId) => ({ kind: 'call', callId }))
      if (run.call(slow).phase === 'settled') return [{ kind: 'finish', blocks: run.call(quick).content }]
      return run.call(quick).phase === 'settled'
        ? [{ kind: 'cancel', callId: slow, reason: 'The lake is enough.' }]
        : []
    },
  )
  const { engine } = hostOf(testAgent({ model: scriptedModel([]), tools: [hang, look], planner }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect([...run.calls.values()].map(({ outcome }) => outcome)).toEqual(['canceled', 'finished'])
  expect(reason).toMatchObject({ code: 'call-canceled', message: 'The lake is enough.' })
  expect(run.ended).toMatchObject({ state: 'completed', blocks: [{ text: 'a lake' }] })
})

test('a planner that calls one step twice is stopped by name, and the step has not run', async () => {
  let runs = 0
  const look = testTool('look', () => {
    runs++
    return result('a lake')
  })
  const planner = writing([{ tool: 'look', args: {} }], (run) => {
    const callId = [...run.steps.all.keys()][0] as CallId
    return [
      { kind: 'call', callId },
      { kind: 'call', callId },
    ]
  })
  const { engine } = hostOf(testAgent({ model: scriptedModel([]), tools: [look], planner }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await expect(engine.drive(runId)).rejects.toMatchObject({ code: 'planner-invalid' })
  expect(runs).toBe(0)
})

test('what a planner tells is in the next view, as its own word', async () => {
  const planner: Planner = {
    name: 'telling',
    version: 1,
    next: (run) =>
      run.seq === 1 ? [{ kind: 'tell', scope: ROOT_SCOPE, message: hostMessage('Be brief.') }] : react().next(run),
  }
  const model = scriptedModel([[say('done')]])
  const { engine } = hostOf(testAgent({ model, planner }))
  await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(model.requests[0]?.messages).toMatchObject([
    { blocks: [{ text: 'go' }], provenance: { source: 'user' } },
    { blocks: [{ text: 'Be brief.' }], provenance: { source: 'host' } },
  ])
})

test('a planner may reject a run, and its reason is the answer', async () => {
  const planner: Planner = {
    name: 'choosy',
    version: 1,
    next: () => [{ kind: 'reject', message: 'That is not what I am for.' }],
  }
  const { engine } = hostOf(testAgent({ model: scriptedModel([]), planner }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.ended).toMatchObject({ state: 'rejected', blocks: [{ text: 'That is not what I am for.' }] })
})

test('a planner that asks again while a call goes on: the model is told so, and then the result', async () => {
  let letGo: () => void = () => undefined
  const slow = testTool('slow', () => new Promise((resolve) => (letGo = () => resolve(result('a lake')))) as never)
  const planner: Planner = {
    name: 'impatient',
    version: 1,
    next: (run) => {
      if (run.ready().size > 0) return [...run.ready()].map((callId) => ({ kind: 'call', callId }))
      const turn = run.lastTurn()
      if (turn?.outcome === 'open') return []
      if (run.turnCount < 2) return [{ kind: 'ask', scope: ROOT_SCOPE, purpose: 'act' }]
      if (run.openCalls() > 0) return []
      return run.turnCount < 3 ? [{ kind: 'ask', scope: ROOT_SCOPE, purpose: 'act' }] : react().next(run)
    },
  }
  const model = scriptedModel((_, turn) => {
    if (turn === 2) setImmediate(letGo)
    return turn === 1 ? [callTool('slow')] : [say(`answer ${turn}`)]
  })
  const { engine } = hostOf(testAgent({ model, tools: [slow], planner }))
  await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    role: 'tool',
    blocks: [{ callId: 't1.1', isError: false, content: [{ text: expect.stringContaining('in progress') }] }],
  })
  expect(model.requests[2]?.messages.slice(3)).toMatchObject([
    { role: 'assistant' },
    {
      role: 'user',
      blocks: [{ text: 'Result of the earlier call t1.1 (slow):' }, { text: 'a lake' }],
      provenance: { trust: 'vetted' },
    },
  ])
})

test('a planner chooses what a turn is shown; results beside the history are worth the least of them', async () => {
  const tools = [
    testTool('own', () => result('from us'), { trust: 'host' }),
    testTool('look', () => result('a lake'), { trust: 'vetted' }),
  ]
  const blocks = tools.map(({ name }) => ({ tool: name, args: {} }))
  const planner = writing(blocks, (run) => {
    if (run.turnCount > 1 || run.ready().size > 0 || run.openCalls() > 0) return react().next(run)
    const view = {
      history: 'goal-only',
      tools: ['look'],
      toolChoice: 'none',
      results: [...run.calls.keys()],
      reminder: 'Answer now.',
    } as const
    return [{ kind: 'ask', scope: ROOT_SCOPE, purpose: 'answer', view }]
  })
  const model = scriptedModel([[say('done')]])
  const { engine } = hostOf(testAgent({ model, tools, planner }))
  await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  const [request] = model.requests
  expect(request).toMatchObject({ toolChoice: 'none', tools: [{ name: 'look' }] })
  expect(request?.messages).toMatchObject([
    { blocks: [{ text: 'go' }] },
    {
      blocks: [
        { text: 'Result of t1.1 (own):' },
        { text: 'from us' },
        { text: 'Result of t1.2 (look):' },
        { text: 'a lake' },
      ],
      provenance: { trust: 'vetted' },
    },
    { blocks: [{ text: 'Answer now.' }] },
  ])
})

test.each([
  ['the same arguments keep the key of the first one and need a person', 'A', { asks: true, isSameKey: true }],
  ['other arguments are another effect', 'B', { asks: false, isSameKey: false }],
])('a step that stands in for one in doubt: %s', async (_, to, expected) => {
  const keys: string[] = []
  const pay = testTool(
    'pay',
    (_, { key }) => {
      keys.push(key)
      throw new TenonError('bank-gone', 'It may have happened.', {
        retryable: false,
        modelVisible: true,
        userVisible: true,
        inDoubt: true,
      })
    },
    { effect: 'once' },
  )
  const planner = writing([{ tool: 'pay', args: { to: 'A' } }], (run) => {
    const [first] = [...run.steps.all.keys()] as [CallId]
    if (run.turnCount > 1 || run.calls.get(first)?.phase !== 'settled') return react().next(run)
    return [
      { kind: 'write', scope: ROOT_SCOPE, purpose: 'plan', blocks: [{ tool: 'pay', args: { to }, replaces: first }] },
    ]
  })
  const { engine } = hostOf(testAgent({ model: scriptedModel([[say('done')]]), tools: [pay], planner }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  const second = run.call('t2.1' as CallId).proposal
  expect(second.replaces).toBe('t1.1')
  expect({ asks: run.inputs.size === 1, isSameKey: second.key === keys[0] }).toEqual(expected)
})
