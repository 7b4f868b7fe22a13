import { expect, test } from 'vitest'
import { hostOf, memoryPorts, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { EnginePorts } from '../engine/ports.js'

async function parked(more: Partial<EnginePorts> = {}) {
  const pay = testTool('pay', () => result('paid'), { effect: 'once' })
  const model = scriptedModel([[callTool('pay')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [pay], policy: { rules: [], otherwise: 'ask' } }), more)
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const requestId = [...(await engine.drive(runId)).inputs.keys()][0] as never
  return { engine, runId, requestId }
}

test.each([
  [null],
  ['approve'],
  [{ kind: 'yes' }],
  [{ kind: 'approve', remember: 'forever' }],
  [{ kind: 'approve', remember: 'always', pattern: null }],
  [{ kind: 'approve', remember: 'always', until: 'tomorrow' }],
  [{ kind: 'approve', args: ['A'] }],
  [{ kind: 'deny', reason: { because: 1 } }],
])('%j is refused, and the request stays open', async (answer) => {
  const { engine, runId, requestId } = await parked()
  await expect(engine.answer(runId, requestId, answer)).rejects.toMatchObject({ code: 'answer-invalid' })
  await engine.answer(runId, requestId, { kind: 'approve' })
  expect((await engine.drive(runId)).state).toBe('completed')
})

test.each([
  [
    'at once',
    () => {
      throw new Error('database is locked')
    },
  ],
  ['by promise', () => Promise.reject(new Error('database is locked'))],
])('a consent for good that cannot be kept, %s, holds for its own call', async (_, add) => {
  const { grants } = memoryPorts()
  const { engine, runId, requestId } = await parked({ grants: { ...grants, add } })
  await engine.answer(runId, requestId, { kind: 'approve', remember: 'always' })
  expect((await engine.drive(runId)).state).toBe('completed')
  expect(await grants.list('pay')).toEqual([])
})
