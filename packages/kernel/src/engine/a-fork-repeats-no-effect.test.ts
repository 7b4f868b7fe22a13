import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { CallId, RequestId, RunId } from '../content/ids.js'
import type { CallContext, Effect, HandEvent } from '../ports/tool.js'
import type { RunEvent } from '../run/events.js'
import { RunState } from '../run/state.js'

const never = (): Promise<never> => new Promise(() => undefined)
const results = (request: { readonly messages: readonly { readonly role: string }[] }): number =>
  request.messages.filter(({ role }) => role === 'tool').length

/** Pays twice, one after the other, and says how often. */
const paying = () =>
  scriptedModel((request) =>
    results(request) < 2 ? [callTool('pay', { to: `${results(request)}` })] : [say(`${results(request)} payments`)],
  )

const seqOf = (events: readonly RunEvent[], fits: (event: RunEvent) => boolean): number =>
  events.find(fits)?.seq ?? Number.NaN

test('what was done by then is not done again, what comes after is', async () => {
  const paid: unknown[] = []
  const pay = testTool(
    'pay',
    ((args: object) => {
      paid.push(args)
      return result('paid')
    }) as never,
    { effect: 'once' },
  )
  const { engine, events } = hostOf(testAgent({ model: paying(), tools: [pay] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await engine.drive(runId)
  expect(paid).toEqual([{ to: '0' }, { to: '1' }])

  const seq = seqOf(events(runId), (event) => event.kind === 'call-settled')
  const fork = await engine.fork(runId, seq)
  const run = await engine.drive(fork)
  expect(paid).toEqual([{ to: '0' }, { to: '1' }, { to: '1' }])
  expect(run.ended).toMatchObject({ state: 'completed', blocks: [{ text: '2 payments' }] })
  expect(events(fork).slice(1, seq)).toEqual(events(runId).slice(1, seq))
  expect(events(fork)[seq]).toMatchObject({ kind: 'run-forked', from: { runId, seq } })
  expect(RunState.of(events(fork))).toMatchObject({ seq: run.seq, forkedFrom: { runId, seq } })
  expect((await engine.state(runId)).state).toBe('completed')
})

test.each([
  ['once', 'in-doubt', 1],
  ['idempotent', 'finished', 2],
] as const)('a %s call that was under way is %s in the fork', async (effect: Effect, outcome, runs) => {
  const keys: string[] = []
  const act = testTool(
    'act',
    ((_: object, { key }: CallContext) => {
      keys.push(key)
      return keys.length === 1 ? never() : result('done')
    }) as never,
    { effect },
  )
  const model = () => scriptedModel((request) => (results(request) > 0 ? [say('done')] : [callTool('act', {})]))
  const { engine, events } = hostOf(testAgent({ model: model(), tools: [act] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const fork = await engine.fork(
    runId,
    seqOf(events(runId), (event) => event.kind === 'call-begun'),
  )
  const run = await engine.drive(fork)
  expect(run.call('t1.1' as CallId).outcome).toBe(outcome)
  expect(keys).toHaveLength(runs)
  expect(new Set(keys).size).toBe(1)
  await engine.cancel(runId)
})

test('work that goes on elsewhere is attached to by its handle, and begun once', async () => {
  const entered: unknown[] = []
  const delegate = testTool(
    'delegate',
    async function* (_: object, { handle }: CallContext): AsyncGenerator<HandEvent> {
      entered.push(handle)
      if (handle === undefined) {
        yield { kind: 'handle', handle: { task: 7 } }
        await never()
      }
      yield result('done elsewhere')
    } as never,
    { effect: 'once' },
  )
  const model = scriptedModel((request) => (results(request) > 0 ? [say('done')] : [callTool('delegate', {})]))
  const { engine, events } = hostOf(testAgent({ model, tools: [delegate] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  for await (const item of engine.follow(runId)) if (item.kind === 'event' && item.event.kind === 'call-handle') break
  const fork = await engine.fork(
    runId,
    seqOf(events(runId), (event) => event.kind === 'call-handle'),
  )
  const run = await engine.drive(fork)
  expect(entered).toEqual([undefined, { task: 7 }])
  expect([run.state, run.call('t1.1' as CallId).outcome]).toEqual(['completed', 'finished'])
  await engine.close()
})

test('consent for one run is no consent for its fork, given or asked for, for a call or for the run', async () => {
  let paid = 0
  const pay = testTool(
    'pay',
    (() => {
      paid++
      return result('paid')
    }) as never,
    { effect: 'once' },
  )
  const policy = { rules: [], otherwise: 'ask' } as const
  const { engine, events } = hostOf(testAgent({ model: paying(), tools: [pay], policy }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const asked = await engine.drive(runId)
  const [request] = [...asked.inputs.values()]
  const whileAsked = asked.seq
  await engine.answer(runId, request?.requestId as RequestId, { kind: 'approve', remember: 'run' })
  await engine.drive(runId)
  expect(paid).toBe(2)

  const granted = seqOf(events(runId), (event) => event.kind === 'grant-added')
  for (const seq of [whileAsked, granted]) {
    const fork = await engine.fork(runId, seq)
    const again = await engine.drive(fork)
    expect(again.state).toBe('input-required')
    expect(again.inputs.size).toBe(1)
    const [anew] = [...again.inputs.values()]
    expect(anew?.binding).not.toBe(request?.binding)
    expect(anew?.reason).toBeUndefined()
    expect(paid).toBe(2)
    await engine.cancel(fork)
    await engine.drive(fork)
  }
})

test('a fork of a canceled run goes on; time between the two is nobody’s', async () => {
  let now = 1_000
  const clock = { now: () => now, after: () => () => undefined }
  const hang = testTool(
    'hang',
    ((_: object, { signal }: CallContext) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))) as never,
  )
  const model = scriptedModel((request) => (results(request) > 0 ? [say('done')] : [callTool('hang', {})]))
  const { engine, events } = hostOf(testAgent({ model, tools: [hang], limits: { wallMs: 60_000 } }), { clock })
  const runId = await engine.submit({ agent: 'tester', goal: 'go', principal: 'alice', deadline: 5_000 })
  await engine.cancel(runId)
  const ended = await engine.drive(runId)
  expect(ended.state).toBe('canceled')
  now += 1_000_000
  const requested = seqOf(events(runId), (event) => event.kind === 'cancel-requested')
  const fork = await engine.fork(runId, requested, { principal: 'bob', metadata: { from: 'test' } })
  const run = await engine.state(fork)
  expect([run.cancelRequested, run.ended, run.totals.activeMs]).toEqual([undefined, undefined, 0])
  expect(run.submission).toMatchObject({ principal: 'bob', metadata: { from: 'test' } })
  expect(run.submission.deadline).toBeUndefined()
  await engine.close()
})

test('a place that the run does not have is refused by name', async () => {
  const { engine } = hostOf(testAgent({ model: scriptedModel(() => [say('done')]) }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const { seq } = await engine.drive(runId)
  for (const wrong of [0, -1, 1.5, seq, seq + 1, Number.NaN])
    await expect(engine.fork(runId, wrong)).rejects.toMatchObject({ code: 'fork-invalid' })
  await expect(engine.fork('run_none' as RunId, 1)).rejects.toMatchObject({ code: 'run-unknown' })
})

test('work that the other run gave away is not on the account of the fork', async () => {
  const give = { ...testTool('give', () => ({ ...result('begun'), goesOn: true }) as never), spends: true as const }
  const model = scriptedModel((request) => (results(request) === 0 ? [callTool('give')] : [say('done')]))
  const { engine, events } = hostOf(testAgent({ model, tools: [give] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go', limits: { calls: 9 } })
  const run = await engine.drive(runId)
  expect(run.totals.reserved.calls).toBe(4)
  const fork = await engine.fork(
    runId,
    seqOf(events(runId), (event) => event.kind === 'call-settled'),
  )
  const forked = await engine.drive(fork)
  expect(forked.call('t1.1' as CallId).goesOn).toBe(false)
  expect(forked.totals.reserved.calls).toBe(0)
})
