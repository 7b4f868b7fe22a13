import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool, texts } from '../../test/support/tools.js'

test('the model calls a tool, sees what it returned, and answers', async () => {
  const weather = testTool('weather', ({ city }) => result(`Rain in ${city}`), { input: texts('city') })
  const model = scriptedModel([[callTool('weather', { city: 'Oslo' })], [say('Take an umbrella.')]])
  const { engine } = hostOf(testAgent({ model, tools: [weather] }))

  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'Umbrella in Oslo?' }))

  expect(run.state).toBe('completed')
  expect(run.ended?.blocks).toEqual([{ kind: 'text', text: 'Take an umbrella.' }])
  expect(model.requests[1]?.messages).toMatchObject([
    { role: 'user', blocks: [{ text: 'Umbrella in Oslo?' }] },
    { role: 'assistant', blocks: [{ kind: 'tool-call', callId: 't1.1', name: 'weather' }] },
    { role: 'tool', blocks: [{ callId: 't1.1', content: [{ text: 'Rain in Oslo' }], isError: false }] },
  ])
})

test('results stand in the order of the proposals, whatever order they came in', async () => {
  const release: (() => void)[] = []
  const wait = testTool('wait', ({ n }) => new Promise((resolve) => release.push(() => resolve(result(`done ${n}`)))))
  const model = scriptedModel([
    [callTool('wait', { n: 1 }), callTool('wait', { n: 2 }), callTool('wait', { n: 3 })],
    [say('ok')],
  ])
  const { engine } = hostOf(testAgent({ model, tools: [wait] }))

  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  for (const go of release.reverse()) go()
  await engine.drive(runId)

  const last = model.requests[1]?.messages.at(-1)
  expect(last?.blocks.map((block) => 'content' in block && block.content)).toEqual(
    [1, 2, 3].map((n) => [{ kind: 'text', text: `done ${n}` }]),
  )
})

test('a run that is refused stands in the journal as rejected, and asks no model', async () => {
  const model = scriptedModel([])
  const host = hostOf(testAgent({ model }))
  const runId = await host.engine.submit({
    agent: 'tester',
    goal: 'go',
    rejected: 'Not on Sundays.',
    metadata: { by: 1 },
  })
  expect(host.events(runId)).toMatchObject([
    { kind: 'run-submitted', metadata: { by: 1 } },
    { kind: 'run-ended', state: 'rejected', blocks: [{ text: 'Not on Sundays.' }] },
  ])
  expect((await host.engine.drive(runId)).state).toBe('rejected')
  expect(model.requests).toHaveLength(0)
})

test('an agent that this process does not have is named', () => {
  const { engine } = hostOf(testAgent({ model: scriptedModel([]) }))
  expect(() => engine.submit({ agent: 'nobody', goal: 'go' })).toThrow(
    expect.objectContaining({ code: 'agent-unknown', message: expect.stringContaining('"nobody"') }),
  )
})
