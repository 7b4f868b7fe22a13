import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, type ScriptedModel, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { Tool } from '../ports/tool.js'

/** For each request whether the model was told that it goes round in circles. */
const told = ({ requests }: ScriptedModel): readonly boolean[] =>
  requests.map(({ messages }) => JSON.stringify(messages.at(-1)).includes('with the same arguments'))

async function run(model: ScriptedModel, ...tools: readonly Tool[]) {
  const { engine } = hostOf(testAgent({ model, tools }))
  return engine.drive(await engine.submit({ agent: 'tester', goal: 'go', limits: { steps: 12 } }))
}

test('a model that asks the same three times is told so until it goes another way, and is not stopped', async () => {
  const look = testTool('look', () => result({ found: [] }))
  const model = scriptedModel((_, turn) => {
    if (turn <= 5) return [callTool('look', { for: 'x', in: { year: 2026 } })]
    return turn === 6 ? [callTool('look', { for: 'x', in: { year: 2025 } })] : [say('nothing there')]
  })
  const ended = await run(model, look)
  expect(told(model)).toEqual([false, false, false, true, true, true, false])
  expect(ended.state).toBe('completed')
  expect(ended.totals.calls).toBe(6)
})

test('what it was told is kept in no history', async () => {
  const look = testTool('look', () => result('nothing'))
  const model = scriptedModel((_, turn) => (turn <= 4 ? [callTool('look')] : [say('done')]))
  await run(model, look)
  const last = model.requests.at(-1)?.messages ?? []
  expect(JSON.stringify(last).split('with the same arguments')).toHaveLength(2)
})

test('whoever asks until something is ready gets on with it untold', async () => {
  let percent = 0
  const poll = testTool('poll', () => {
    percent += 25
    return result({ percent })
  })
  const model = scriptedModel(() => (percent < 100 ? [callTool('poll', { job: 'j1' })] : [say('ready')]))
  await run(model, poll)
  expect(told(model)).toEqual([false, false, false, false, false])
})

test('the same mistake is the same call, and one more call beside it is not', async () => {
  const look = testTool('look', () => result('ok'))
  const wrong = scriptedModel((_, turn) => (turn <= 3 ? [callTool('lok')] : [say('done')]))
  await run(wrong, look)
  expect(told(wrong)).toEqual([false, false, false, true])
  const beside = scriptedModel((_, turn) =>
    turn <= 3 ? [callTool('look'), ...(turn === 2 ? [callTool('look', { for: 'y' })] : [])] : [say('done')],
  )
  await run(beside, look)
  expect(told(beside)).toEqual([false, false, false, false])
})

test('one that never stops is ended by its limit of steps, by name', async () => {
  const look = testTool('look', () => result('nothing'))
  const ended = await run(
    scriptedModel(() => [callTool('look')]),
    look,
  )
  expect(ended.ended?.error).toMatchObject({ code: 'limit-reached', message: expect.stringContaining('limits.steps') })
})
