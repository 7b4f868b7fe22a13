import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, type Line, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool, texts } from '../../test/support/tools.js'
import type { RunState } from '../run/state.js'

const find = testTool('find', ({ q }) => result(`found ${q}`), { input: texts('q') })

async function runOf(turn: (number: number) => Line): Promise<{ run: RunState; asked: number }> {
  const model = scriptedModel((_, number) => turn(number))
  const { engine } = hostOf(testAgent({ model, tools: [find] }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  return { run, asked: model.requests.length }
}

test.each([
  ['arguments that do not fit', (n: number) => [callTool('find', { q: [n] })], /6 times in a row.*\/q/],
  ['an unknown tool', (n: number) => [callTool('search', { q: `${n}` })], /6 times in a row.*"search"/],
  ['one and the other', (n: number) => [callTool('find', {}), callTool('search', { n })], /6 times in a row/],
])('a model that proposes %s over and over ends the run long before its limit of steps', async (_, turn, told) => {
  const { run, asked } = await runOf(turn)
  expect(run.ended?.error).toMatchObject({ code: 'model-failed', message: expect.stringMatching(told) })
  expect(asked).toBe(6)
})

test('whoever gets one call right has not failed', async () => {
  const wrong = callTool('find', {})
  const { run } = await runOf((n) =>
    n > 12 ? [say('done')] : n % 4 === 0 ? [wrong, callTool('find', { q: 'a' })] : [wrong],
  )
  expect([run.state, run.turns.size]).toEqual(['completed', 13])
})
