import { expect, test } from 'vitest'
import { hostOf, memoryPorts, testAgent } from '../../test/support/host.js'
import { callTool, type Line, say, scriptedModel, USAGE } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { CallId } from '../content/ids.js'
import { RunId } from '../content/ids.js'
import { TenonError } from '../errors/error-table.js'
import type { Tool } from '../ports/tool.js'
import type { Limits } from '../run/events.js'
import type { RunState } from '../run/state.js'
import type { Agent } from './agent.js'
import type { Engine } from './engine-api.js'
import { runAgentTool } from './run-agent.js'

const TURN = USAGE.input + USAGE.output
const PRICES = { prices: { input: 1_000, output: 1_000 } }
const TURN_COST = TURN / 1_000

const start = (goal: string) => callTool('run_agent', { agent: 'helper', goal })
const look = testTool('look', () => result('seen'))

/** A parent that says its lines, and a helper that says its own; both at prices. */
function family(lines: readonly Line[], helper: Partial<Agent>, more: readonly Tool[] = []) {
  let engine: Engine | undefined
  const started = runAgentTool({ engine: () => engine as Engine, agents: [{ name: 'helper' }] })
  const parent = testAgent({ name: 'parent', model: scriptedModel(lines, PRICES), tools: [started, ...more] })
  const ports = memoryPorts()
  const host = hostOf(
    [
      parent,
      testAgent({ name: 'helper', model: scriptedModel(() => [say('found')], PRICES), tools: [look], ...helper }),
    ],
    ports,
  )
  engine = host.engine
  return {
    ...host,
    run: async (limits: Limits) => host.engine.drive(await host.engine.submit({ agent: 'parent', goal: 'go', limits })),
    childOf: (run: RunState, callId: string) =>
      host.engine.state(RunId((run.call(callId as CallId).handle as { runId: string }).runId)),
  }
}

const endless = { model: scriptedModel(() => [callTool('look')], PRICES) }
const ONE_CHILD: readonly Line[] = [[start('find')], [say('done')]]

test('what a sub-run used counts for the run that started it', async () => {
  const run = await family(ONE_CHILD, { model: scriptedModel([[callTool('look')], [say('found')]], PRICES) }).run({})
  expect(run.totals).toMatchObject({ tokens: 4 * TURN, calls: 2, delegated: { tokens: 2 * TURN, calls: 1 } })
  expect(run.totals.cost).toBeCloseTo(4 * TURN_COST)
  expect(run.call('t1.1' as CallId).cost).toBeCloseTo(2 * TURN_COST)
})

test.each([
  ['tokens', { tokens: 20 * TURN }, 20 * TURN, TURN],
  ['money', { money: 20 * TURN_COST }, 20 * TURN_COST, TURN_COST],
  ['calls', { calls: 20 }, 20, 1],
] as const)('a sub-run that never stops is stopped by the %s of the whole', async (name, limits, most, step) => {
  const host = family(ONE_CHILD, endless)
  const run = await host.run(limits)
  const child = await host.childOf(run, 't1.1')
  expect(child.ended).toMatchObject({ state: 'failed', error: { code: 'limit-reached' } })
  expect(child.submission.limits[name]).toBeLessThan(most)
  expect(run.state).toBe('completed')
  expect(run.call('t1.1' as CallId)).toMatchObject({
    outcome: 'failed',
    content: [{ text: 'helper did not finish: failed (limit-reached).' }],
  })
  const used = { tokens: run.totals.tokens, money: run.totals.cost, calls: run.totals.calls }
  expect(used[name]).toBeLessThanOrEqual(most + step)
})

test('sub-runs at one time share what is left, and the run keeps a share', async () => {
  const host = family([[start('a'), start('b'), start('c')], [say('done')]], {})
  const run = await host.run({ tokens: 1_000 })
  const shares = await Promise.all(
    ['t1.1', 't1.2', 't1.3'].map(async (callId) => (await host.childOf(run, callId)).submission.limits.tokens ?? 0),
  )
  const share = Math.floor((1_000 - TURN) / 4)
  expect(shares).toEqual([share, share, share])
  expect(run.totals.reserved).toMatchObject({ tokens: 0, calls: 0 })
})

test('what was set aside and not used is there for the next', async () => {
  const host = family([[start('a')], [start('b')], [say('done')]], {})
  const run = await host.run({ tokens: 1_000 })
  const second = await host.childOf(run, 't2.1')
  expect(second.submission.limits.tokens).toBe(Math.floor((1_000 - 3 * TURN) / 2))
})

test('a share is no more than the sub-run may use by its own limits', async () => {
  const host = family(ONE_CHILD, { limits: { tokens: 100, money: 5 } })
  const run = await host.run({ tokens: 100_000 })
  expect((await host.childOf(run, 't1.1')).submission.limits).toEqual({ tokens: 100, money: 5 })
})

test('where nothing is left no sub-run begins', async () => {
  const host = family(ONE_CHILD, {})
  const run = await host.run({ tokens: TURN })
  expect(run.call('t1.1' as CallId)).toMatchObject({ outcome: 'failed', attempts: 0, error: { code: 'limit-reached' } })
  expect(run.ended?.error?.code).toBe('limit-reached')
})

test('a share stands in the journal once, and a call that is taken up again keeps it', async () => {
  const ask = testTool('ask', () => result('yes'), { effect: 'once' })
  const host = family(ONE_CHILD, {
    model: scriptedModel([[callTool('ask')], [say('found')]], PRICES),
    tools: [ask],
    policy: { rules: [], otherwise: 'ask' },
  })
  const runId = await host.engine.submit({ agent: 'parent', goal: 'go', limits: { tokens: 1_000 } })
  const parked = await host.engine.drive(runId)
  expect(parked.totals.reserved.tokens).toBe(Math.floor((1_000 - TURN) / 2))
  await host.engine.answer(runId, [...parked.inputs.keys()][0]!, { kind: 'approve' })
  const run = await host.engine.drive(runId)
  expect(run.state).toBe('completed')
  const begun = host.events(runId).filter((event) => event.kind === 'call-begun')
  expect(begun.map(({ attempt, budget }) => [attempt, budget !== undefined])).toEqual([
    [1, true],
    [2, false],
  ])
  expect(run.totals.reserved.tokens).toBe(0)
})

class Unsure extends TenonError {
  constructor() {
    super('unsure', 'The peer is away.', { retryable: false, modelVisible: true, userVisible: true, inDoubt: true })
  }
}

const spending = (name: string, run: Tool['run']): Tool => ({ ...testTool(name, run as never), spends: true })

test('work of which nobody knows what it used counts as all that was set aside', async () => {
  const lost = spending('lost', () => {
    throw new Unsure()
  })
  const run = await family([[callTool('lost')], [say('done')]], {}, [lost]).run({ tokens: 1_000 })
  const share = Math.floor((1_000 - TURN) / 2)
  expect(run.call('t1.1' as CallId)).toMatchObject({ outcome: 'in-doubt', spent: { tokens: share } })
  expect(run.totals.tokens).toBe(2 * TURN + share)
})

test('what was used before a failure counts', async () => {
  const fails = spending('fails', async function* () {
    yield { kind: 'spent', spent: { tokens: 7 } }
    throw new Error('no')
  } as never)
  const run = await family([[callTool('fails')], [say('done')]], {}, [fails]).run({ tokens: 1_000 })
  expect(run.totals).toMatchObject({ tokens: 2 * TURN + 7, reserved: { tokens: 0 } })
})

test('work that is joined later keeps its share until then, and is counted once', async () => {
  const give = spending('give', () => ({ ...result('begun'), goesOn: true }))
  const joined = { ...result('ready'), spent: { tokens: 40, money: 0.5 }, settles: 't1.1' as CallId }
  const join = testTool('join', () => joined)
  const reserved: number[] = []
  const host = family([[callTool('give')], [callTool('join')], [callTool('join')], [say('done')]], {}, [give, join])
  host.engine.subscribe((item) => {
    if (item.kind !== 'event' || item.event.kind !== 'turn-began') return
    reserved.push((host.engine.state(item.runId) as RunState).totals.reserved.tokens)
  })
  const run = await host.run({ tokens: 1_000 })
  const share = Math.floor((1_000 - TURN) / 2)
  expect(reserved).toEqual([0, share, 0, 0])
  expect(run.totals.tokens).toBe(4 * TURN + 40)
  expect(run.totals.cost).toBeCloseTo(4 * TURN_COST + 0.5)
})
