import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool, texts } from '../../test/support/tools.js'
import type { Json } from '../content/json.js'

const output = { name: 'city', schema: texts('city') }

test('an answer of the wrong shape goes back with what is wrong, and the right one is the typed result', async () => {
  const model = scriptedModel([[say('It is Oslo.')], [say('{"town":"Oslo"}')], [say('```json\n{"city":"Oslo"}\n```')]])
  const { engine } = hostOf(testAgent({ model, output }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'which city?' }))
  expect(run.ended).toMatchObject({ state: 'completed', output: { city: 'Oslo' } })
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('not one JSON value')
  expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain('/city')
})

test.each([
  ['in a fence, with blanks around it', ' \n```json  \n\n{"city":"Oslo"}\n\n``` \n'],
  ['in a fence of no language', '```\n{"city":"Oslo"}```'],
  ['bare', '\n{"city":"Oslo"} '],
])('an answer is read %s', async (_, said) => {
  const { engine } = hostOf(testAgent({ model: scriptedModel([[say(said)]]), output }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'which city?' }))
  expect(run.ended).toMatchObject({ state: 'completed', output: { city: 'Oslo' } })
})

test('a schema that answers by promise, or breaks, is waited for', async () => {
  const { check, json } = output.schema
  const typed = async (judge: () => Promise<unknown>) => {
    const model = scriptedModel([[say('{"town":"Oslo"}')], [say('{"city":"Oslo"}')]])
    const schema = { json, check: (value: Json) => judge().then(() => check(value)) }
    const { engine } = hostOf(testAgent({ model, output: { name: 'city', schema } }))
    return { model, run: await engine.drive(await engine.submit({ agent: 'tester', goal: 'which city?' })) }
  }
  expect((await typed(async () => undefined)).run.ended).toMatchObject({ output: { city: 'Oslo' } })
  let checks = 0
  const { model, run } = await typed(async () => {
    if (++checks === 1) throw new Error('no such keyword')
  })
  expect(run.ended).toMatchObject({ state: 'completed', output: { city: 'Oslo' } })
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('no such keyword')
})

test('a fence that is never closed is no answer, however long it is', async () => {
  const model = scriptedModel([[say(`\`\`\`${'\n'.repeat(300_000)}`)], [say('{"city":"Oslo"}')]])
  const { engine } = hostOf(testAgent({ model, output }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'which city?' }))
  expect(run.ended).toMatchObject({ state: 'completed', output: { city: 'Oslo' } })
  expect(model.requests).toHaveLength(2)
})

test('a model that never gets there fails the run by name, and what was wrong is told', async () => {
  const model = scriptedModel(() => [say('It is Oslo.')])
  const { engine } = hostOf(testAgent({ model, output }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'which city?' }))
  expect(run.ended?.error).toMatchObject({
    code: 'output-invalid',
    message: expect.stringMatching(/4 times in a row; the last time: it is not one JSON value/),
  })
  expect(model.requests.length).toBeLessThan(8)
})

test('the provider is held to the schema only where no tools are offered, so that tools are still called', async () => {
  const look = testTool('look', () => result('ok'))
  const model = scriptedModel([[callTool('look')], [say('Oslo')], [say('{"city":"Oslo"}')]])
  const { engine } = hostOf(testAgent({ model, tools: [look], output }))
  await engine.drive(await engine.submit({ agent: 'tester', goal: 'which city?' }))
  expect(model.requests.map((request) => [request.output !== undefined, request.toolChoice])).toEqual([
    [false, 'auto'],
    [false, 'auto'],
    [true, 'none'],
  ])
  expect(JSON.stringify(model.requests[0]?.system)).toContain('JSON value of this schema')
})

test('a required or named tool is asked for once, not for ever', async () => {
  const look = testTool('look', () => result('ok'))
  const model = scriptedModel([[callTool('look')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [look], toolChoice: { name: 'look' } }))
  await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([{ name: 'look' }, 'auto'])
})
