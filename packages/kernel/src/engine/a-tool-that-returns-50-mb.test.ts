import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { testTool } from '../../test/support/tools.js'
import { text } from '../content/block.js'
import type { ArtifactId } from '../content/ids.js'

const LINE = 'a line of output that is much too long to show\n'
const HUGE = `first ${LINE.repeat(Math.ceil(50_000_000 / LINE.length))} last`

test('the model sees head, tail and a handle; the artifact has every byte; the journal stays small', async () => {
  const flood = testTool('flood', () => ({ kind: 'result', content: [text(HUGE)], value: HUGE }) as never)
  const model = scriptedModel([[callTool('flood')], [say('done')]])
  const { engine, events, ports } = hostOf(testAgent({ model, tools: [flood] }))

  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const run = await engine.drive(runId)

  const [shown, handle] = run.call('t1.1' as never).content
  expect(shown?.kind === 'text' && shown.text.length).toBeLessThan(10_000)
  expect(shown).toMatchObject({ text: expect.stringMatching(/^first a line[\s\S]* last$/) })
  expect(handle).toMatchObject({ kind: 'artifact', bytes: HUGE.length })
  const { artifactId } = handle as { artifactId: ArtifactId }
  expect(new TextDecoder().decode(await ports.artifacts.read(artifactId, 0, HUGE.length))).toBe(HUGE)
  expect(JSON.stringify(events(runId)).length).toBeLessThan(40_000)
})

test('an error text is bounded in the same place', async () => {
  const flood = testTool(
    'flood',
    () => ({ kind: 'result', content: [text('e'.repeat(733_000))], isError: true }) as never,
  )
  const model = scriptedModel([[callTool('flood')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [flood] }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.call('t1.1' as never).outcome).toBe('failed')
  expect(JSON.stringify(run.call('t1.1' as never).content).length).toBeLessThan(10_000)
})

test('nothing is cut inside a character', async () => {
  const flood = testTool('flood', () => ({ kind: 'result', content: [text('𝄞'.repeat(50_000))] }) as never)
  const model = scriptedModel([[callTool('flood')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [flood] }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  const [shown] = run.call('t1.1' as never).content
  expect((shown as { text: string }).text).not.toMatch(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/,
  )
})
