import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import { KernelError } from '../errors/kernel-errors.js'
import { redactor } from '../ledger/redact.js'

const SECRET = 'hunter2-correct-horse'

test('neither model nor journal gets a secret, a stack or a path that a tool throws', async () => {
  const leaky = testTool('leaky', () => {
    throw new Error(
      `connect ECONNREFUSED postgres://admin:${SECRET}@db/prod\n    at Client.connect (/srv/app/secrets/client.js:10:5)\nkey sk-proj-abcdefghijklmnopqrstuvwx in /home/ann/.config/keys.json`,
    )
  })
  const model = scriptedModel([[callTool('leaky')], [say('done')]])
  const { engine, events } = hostOf(testAgent({ model, tools: [leaky] }))

  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await engine.drive(runId)

  for (const seen of [JSON.stringify(events(runId)), JSON.stringify(model.requests)]) {
    expect(seen).toContain('ECONNREFUSED')
    for (const hidden of [SECRET, 'sk-proj', '/srv/app', '/home/ann', 'client.js:10'])
      expect(seen).not.toContain(hidden)
    expect(seen).toContain('keys.json')
  }
})

test('a secret that the host knows is taken out of results, values and progress too', async () => {
  const leaky = testTool('leaky', () => result({ header: `token ${SECRET}`, list: [SECRET] }))
  const model = scriptedModel([[callTool('leaky')], [say('done')]])
  const { engine, events } = hostOf(testAgent({ model, tools: [leaky] }), { redact: redactor([SECRET]) })

  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const run = await engine.drive(runId)

  expect(JSON.stringify(events(runId))).not.toContain(SECRET)
  expect(run.call('t1.1' as never).value).toEqual({ header: 'token [secret]', list: ['[secret]'] })
})

const REFUSED = { message: `401 for ${SECRET}`, detail: { sent: [`Bearer ${SECRET}`], status: 401 } }

test.each([
  [
    'thrown',
    () => {
      throw new KernelError('tool-failed', REFUSED.message, { detail: REFUSED.detail })
    },
  ],
  [
    'returned',
    () => ({ ...result('no'), isError: true, error: { ...REFUSED, code: 'tool-failed', retryable: false } }),
  ],
] as const)('an error with a code of ours and a detail is no way around, %s', async (_, fail) => {
  const leaky = testTool('leaky', fail as never)
  const model = scriptedModel([[callTool('leaky')], [say('done')]])
  const { engine, events } = hostOf(testAgent({ model, tools: [leaky] }), { redact: redactor([SECRET]) })

  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const run = await engine.drive(runId)

  for (const seen of [events(runId), model.requests]) expect(JSON.stringify(seen)).not.toContain(SECRET)
  expect(run.call('t1.1' as never).error).toEqual({
    code: 'tool-failed',
    message: '401 for [secret]',
    retryable: false,
    detail: { sent: ['Bearer [secret]'], status: 401 },
  })
})

const refusal = { ...REFUSED, code: 'model-failed', retryable: false }

test.each([
  [
    'throws',
    () => {
      throw new KernelError('model-failed', REFUSED.message, { detail: REFUSED.detail })
    },
  ],
  ['ends', () => ({ blocks: [], finish: 'error', error: refusal }) as const],
])('nor is one with which a model %s', async (_, fail) => {
  const { engine, events } = hostOf(testAgent({ model: scriptedModel(fail) }), { redact: redactor([SECRET]) })
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const run = await engine.drive(runId)
  expect(run.ended?.error).toMatchObject({ code: 'model-failed', message: expect.stringContaining('401 for [secret]') })
  expect(JSON.stringify(events(runId))).not.toContain(SECRET)
})
