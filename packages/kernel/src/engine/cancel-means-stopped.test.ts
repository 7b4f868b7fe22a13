import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { AUTHOR, callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { RunId } from '../content/ids.js'
import type { CallContext, HandEvent } from '../ports/tool.js'
import type { Engine } from './engine-api.js'

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

async function reached(engine: Engine, runId: RunId, kind: string): Promise<void> {
  for await (const item of engine.follow(runId)) if (item.kind === 'event' && item.event.kind === kind) return
}

test('canceling in the middle of a stream stops the stream and keeps what was said in the journal', async () => {
  let stopped = false
  const model = scriptedModel([
    async function* (_request, signal) {
      yield { kind: 'block-ended', index: 0, block: { kind: 'text', text: 'so far', author: AUTHOR } }
      try {
        await untilAborted(signal)
      } finally {
        stopped = true
      }
    },
  ])
  const { engine, events } = hostOf(testAgent({ model }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await reached(engine, runId, 'block-ended')
  await engine.cancel(runId, 'enough')
  const run = await engine.drive(runId)
  expect(run.state).toBe('canceled')
  expect(stopped).toBe(true)
  expect(events(runId).map(({ kind }) => kind)).toEqual([
    'run-submitted',
    'turn-began',
    'block-ended',
    'cancel-requested',
    'turn-ended',
    'run-ended',
  ])
})

test('a tool that is running is told to stop, a finished sibling keeps its result, a waiting one never starts', async () => {
  const started: string[] = []
  const quick = testTool('quick', () => result('kept'))
  const slow = testTool(
    'slow',
    ((_: unknown, { signal }: CallContext) => {
      started.push('slow')
      return untilAborted(signal)
    }) as never,
    { concurrency: 1 },
  )
  const model = scriptedModel([[callTool('quick'), callTool('slow'), callTool('slow')], [say('never')]])
  const { engine } = hostOf(testAgent({ model, tools: [quick, slow] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await reached(engine, runId, 'call-settled')
  await engine.cancel(runId)
  const run = await engine.drive(runId)
  expect([...run.calls.values()].map(({ outcome }) => outcome)).toEqual(['finished', 'canceled', 'canceled'])
  expect(started).toEqual(['slow'])
  expect(run.state).toBe('canceled')
})

test('a hand that finishes although it was told to stop has its result kept: the effect happened', async () => {
  const stubborn = testTool(
    'pay',
    ((_: unknown, { signal }: CallContext) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(result('paid 5'))))) as never,
    { effect: 'once' },
  )
  const model = scriptedModel([[callTool('pay')], [say('never')]])
  const { engine } = hostOf(testAgent({ model, tools: [stubborn] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await reached(engine, runId, 'call-begun')
  await engine.cancel(runId)
  const run = await engine.drive(runId)
  expect(run.call('t1.1' as never)).toMatchObject({ outcome: 'finished', value: 'paid 5' })
  expect(run.state).toBe('canceled')
})

test('a hand that does not stop is not waited for, and the journal says that its outcome is unknown', async () => {
  const deaf = testTool('deaf', () => new Promise(() => undefined) as never, { effect: 'once' })
  const model = scriptedModel([[callTool('deaf')], [say('never')]])
  const { engine } = hostOf(testAgent({ model, tools: [deaf] }), { tuning: { graceMs: 20 } })
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await engine.cancel(runId)
  const run = await engine.drive(runId)
  expect(run.call('t1.1' as never).outcome).toBe('canceled')
  expect(run.call('t1.1' as never).error?.message).toMatch(/unknown/)
})

test('canceling a parked run closes its request; canceling an ended run changes nothing', async () => {
  const pay = testTool('pay', () => result('paid'), { effect: 'once' })
  const model = scriptedModel([[callTool('pay')], [say('never')]])
  const { engine, events } = hostOf(testAgent({ model, tools: [pay], policy: { rules: [], otherwise: 'ask' } }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await engine.drive(runId)
  await engine.cancel(runId)
  const run = await engine.drive(runId)
  expect([run.state, run.inputs.size]).toEqual(['canceled', 0])
  const length = events(runId).length
  await engine.cancel(runId)
  expect(events(runId)).toHaveLength(length)
})

test('leaving a stream of events is not canceling', async () => {
  const model = scriptedModel([[say('done')]])
  const { engine } = hostOf(testAgent({ model }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  for await (const _ of engine.follow(runId)) break
  expect((await engine.drive(runId)).state).toBe('completed')
})

test('work that several calls gave away is stopped for each, though only one of them may be begun at once', async () => {
  const stopped: unknown[] = []
  const job = testTool(
    'job',
    async function* (_args: unknown, { callId, handle, signal }: CallContext): AsyncGenerator<HandEvent> {
      if (handle === undefined) {
        yield { kind: 'handle', handle: callId }
        yield { kind: 'needs-input', needs: [{ key: 'which', kind: 'question', prompt: 'Which?', resume: null }] }
        return
      }
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      stopped.push(handle)
      signal.throwIfAborted()
    } as never,
    { effect: 'once', concurrency: 1 },
  )
  const model = scriptedModel([[callTool('job'), callTool('job'), callTool('job')], [say('late')]])
  const { engine } = hostOf(testAgent({ model, tools: [job] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  expect((await engine.drive(runId)).state).toBe('input-required')
  await engine.cancel(runId)
  expect((await engine.drive(runId)).state).toBe('canceled')
  expect(stopped).toEqual(['t1.1', 't1.2', 't1.3'])
})
