import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'

const method = testTool('method', () => result(`the method ${'step by step '.repeat(120)}`), { keep: true })
const page = testTool('page', ({ n }) => result(`page ${n} ${'lorem ipsum '.repeat(150)}`))

test('the output of a tool that is kept stays whole while room is made around it', async () => {
  const model = scriptedModel(
    (_, turn) => (turn === 1 ? [callTool('method')] : turn <= 15 ? [callTool('page', { n: turn })] : [say('done')]),
    { contextWindow: 4_000 },
  )
  const host = hostOf(testAgent({ model, tools: [method, page] }))
  const run = await host.engine.drive(await host.engine.submit({ agent: 'tester', goal: 'read all' }))
  expect(run.state).toBe('completed')
  const last = JSON.stringify(model.requests.at(-1)?.messages)
  expect(last).toContain('the method step by step')
  expect(last).toContain('taken out of the context')
})

test('such an output is taken whole where others are cut', async () => {
  const long = `${'x'.repeat(50_000)} end`
  const tools = [testTool('kept', () => result(long), { keep: true }), testTool('cut', () => result(long))]
  const model = scriptedModel([[callTool('kept')], [callTool('cut')], [say('done')]])
  const host = hostOf(testAgent({ model, tools }))
  await host.engine.drive(await host.engine.submit({ agent: 'tester', goal: 'go' }))
  const outputs = (model.requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? [JSON.stringify(message.blocks).length] : [],
  )
  expect(outputs[0]).toBeGreaterThan(50_000)
  expect(outputs[1]).toBeLessThan(20_000)
})
