import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { manifestsOf } from '../../test/support/manifests.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import { ROOT_SCOPE } from '../content/ids.js'
import { HOST } from '../content/provenance.js'
import { manifestEntries } from './manifest.js'

test('a part larger than its share loses its end, and the model and the journal are told', async () => {
  const model = scriptedModel([[say('done')]], { contextWindow: 10_000 })
  const frame = [
    { partId: 'handbook', kind: 'instructions', provenance: HOST, text: `Begin. ${'rule. '.repeat(20_000)}` },
  ] as const
  const host = hostOf(testAgent({ model, frame }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  await host.engine.drive(runId)
  const [shown] = model.requests[0]?.system ?? []
  expect(shown?.text.startsWith('Begin. rule.')).toBe(true)
  expect(shown?.text).toContain('handbook was left out')
  const part = host.events(runId).find((event) => event.kind === 'part-set')
  expect(part).toMatchObject({ part: { omittedTokens: expect.any(Number) } })
  const run = await host.engine.state(runId)
  const [view] = host.events(runId).flatMap((event) => (event.kind === 'turn-began' ? [event.view] : []))
  expect(view && manifestEntries(run, ROOT_SCOPE, view)).toMatchObject([
    { kind: 'instructions', share: 2_000, trust: 'host' },
    { kind: 'prompt', trust: 'user' },
  ])
})

test('tool outputs give way at their share, long before the window is full', async () => {
  const page = testTool('page', () => result('lorem ipsum '.repeat(200)))
  const model = scriptedModel((_, turn) => (turn < 12 ? [callTool('page')] : [say('done')]), { contextWindow: 40_000 })
  const host = hostOf(testAgent({ model, tools: [page], shares: { 'tool-outputs': 0.1 } }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  await host.engine.drive(runId)
  const views = manifestsOf(host.events(runId))
  const outputs = views.flat().filter(({ kind }) => kind === 'tool-outputs')
  expect(outputs.length).toBeGreaterThan(8)
  for (const { tokens, share } of outputs) expect(tokens).toBeLessThanOrEqual(share)
  expect(host.events(runId).some(({ kind }) => kind === 'view-rewritten')).toBe(true)
})
