import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import type { ScriptedModel } from '../../test/support/scripted-model.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { Effect, HandResult, Tool } from '../ports/tool.js'

const FOREVER = 1_000_000_000

const oneCallThenAnswer = (): ScriptedModel =>
  scriptedModel((request) =>
    request.messages.some(({ role }) => role === 'tool') ? [say('done')] : [callTool('pay', { to: 'A' })],
  )

/** A tool that is at work until it is let go. */
function slowTool(effect: Effect): { readonly tool: Tool; readonly count: () => number; readonly letGo: () => void } {
  let count = 0
  let letGo: () => void = () => undefined
  const open = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const run = async (): Promise<HandResult> => {
    count++
    await open
    return result('paid')
  }
  return { tool: testTool('pay', run as never, { effect }), count: () => count, letGo }
}

test('an effect that is under way ends before the host has left, and nothing new is begun', async () => {
  const { tool, count, letGo } = slowTool('once')
  const model = oneCallThenAnswer()
  const first = hostOf(testAgent({ model, tools: [tool] }))
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  const left = first.engine.close({ patienceMs: FOREVER })
  letGo()
  await left
  const now = await first.engine.state(runId)
  expect([now.call('t1.1' as never).outcome, now.turnCount, now.ended]).toEqual(['finished', 1, undefined])
  const second = hostOf(testAgent({ model: oneCallThenAnswer(), tools: [tool] }), first.ports)
  expect((await second.engine.drive(runId)).state).toBe('completed')
  expect(count()).toBe(1)
})

test('what can be taken up again is left at once', async () => {
  const { tool } = slowTool('idempotent')
  const { engine } = hostOf(testAgent({ model: oneCallThenAnswer(), tools: [tool] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await engine.close({ patienceMs: FOREVER })
  expect((await engine.state(runId)).call('t1.1' as never).phase).toBe('begun')
})

test('an effect that does not end is in doubt, and the host has left', async () => {
  const { tool, count } = slowTool('once')
  const first = hostOf(testAgent({ model: oneCallThenAnswer(), tools: [tool] }))
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  await first.engine.close({ patienceMs: 1 })
  const second = hostOf(testAgent({ model: oneCallThenAnswer(), tools: [tool] }), first.ports)
  const run = await second.engine.drive(runId)
  expect([run.call('t1.1' as never).outcome, count()]).toEqual(['in-doubt', 1])
})

test('word that comes meanwhile is kept for whoever drives next', async () => {
  const { tool, letGo } = slowTool('once')
  const first = hostOf(testAgent({ model: oneCallThenAnswer(), tools: [tool] }))
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  const left = first.engine.close({ patienceMs: FOREVER })
  await first.engine.tell(runId, 'And be quick.')
  letGo()
  await left
  const second = hostOf(testAgent({ model: oneCallThenAnswer(), tools: [tool] }), first.ports)
  const run = await second.engine.drive(runId)
  expect([run.state, run.received.size]).toEqual(['completed', 1])
})
