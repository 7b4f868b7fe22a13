import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import { KernelError } from '../errors/kernel-errors.js'
import { KEEP, redactor } from '../ledger/redact.js'
import type { HandEvent, InputNeed } from '../ports/tool.js'

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
  const leaky = testTool('leaky', (_, { progress }) => {
    progress(`signing in with ${SECRET}`)
    return result({ header: `token ${SECRET}`, list: [SECRET] })
  })
  const model = scriptedModel([[callTool('leaky')], [say('done')]])
  const { engine, events } = hostOf(testAgent({ model, tools: [leaky] }), { redact: redactor([SECRET]) })
  const progress: (string | undefined)[] = []
  engine.subscribe((item) => {
    if (item.kind === 'progress') progress.push(item.message)
  })

  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const run = await engine.drive(runId)

  expect(JSON.stringify(events(runId))).not.toContain(SECRET)
  expect(run.call('t1.1' as never).value).toEqual({ header: 'token [secret]', list: ['[secret]'] })
  expect(progress).toEqual(['signing in with [secret]'])
})

test('nor does it stand in what a hand asks', async () => {
  const need: InputNeed = { key: 'sign-in', kind: 'auth', prompt: `Is ${SECRET} yours?`, resume: null }
  const leaky = testTool('leaky', async function* (): AsyncGenerator<HandEvent> {
    yield { kind: 'needs-input', needs: [need] }
  })
  const { engine, events } = hostOf(testAgent({ model: scriptedModel([[callTool('leaky')]]), tools: [leaky] }), {
    redact: redactor([SECRET]),
  })
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const run = await engine.drive(runId)
  expect([...run.inputs.values()].map(({ prompt }) => prompt)).toEqual(['Is [secret] yours?'])
  expect(JSON.stringify(events(runId))).not.toContain(SECRET)
})

test('of two secrets of which one begins the other, nothing is left; what is too short to be one stays', () => {
  const redact = redactor(['hunter2', 'hunter2-correct-horse', 'a'])
  expect(redact('a hunter2-correct-horse and a hunter2')).toBe('a [secret] and a [secret]')
  expect(redactor(['a', 'b'])).toBe(KEEP)
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
