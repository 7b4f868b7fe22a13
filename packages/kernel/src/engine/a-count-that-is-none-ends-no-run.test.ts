import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { Usage } from '../ports/model.js'
import type { HandResult } from '../ports/tool.js'
import type { RunTotals } from '../run/totals.js'

const NONE: Usage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: null }

/** What a run is said to have used that calls `work` once. */
async function totalsOf(usage: unknown, more: Partial<HandResult> = {}): Promise<RunTotals> {
  const work = testTool('work', () => ({ ...result('ok'), ...more }) as never)
  const model = scriptedModel([
    { blocks: [callTool('work')], finish: 'tool-calls', usage: usage as Usage },
    { blocks: [say('done')], finish: 'stop', usage: NONE },
  ])
  const { engine } = hostOf(testAgent({ model, tools: [work] }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.state).toBe('completed')
  return run.totals
}

test.each([
  ['fractions', { input: 10.4, cachedInput: 0.6, cacheWrite: 0, output: 2.5, reasoning: 1.2 }, 14],
  ['less than nothing', { input: -1_000, cachedInput: 3, cacheWrite: 0, output: 4, reasoning: null }, 7],
  ['no numbers', { input: '12', cachedInput: Number.NaN, output: undefined, reasoning: null }, 12],
  ['more than there is', { input: 1e308, cachedInput: 1e308, cacheWrite: 0, output: 0, reasoning: null }, 2e12],
])('tokens of a model that are %s are counted as whole ones', async (_, usage, tokens) => {
  expect((await totalsOf(usage)).tokens).toBe(tokens)
})

test('a peer that says it used less than nothing gives nothing back, and a fraction of a token is one that a store holds', async () => {
  const saved = await totalsOf(NONE, { spent: { tokens: -5_000, calls: -3, money: -9 }, cost: -4 })
  expect([saved.tokens, saved.calls, saved.cost]).toEqual([0, 1, 0])
  const odd = await totalsOf(NONE, { spent: { tokens: 0.5, calls: Number.POSITIVE_INFINITY }, cost: Number.NaN })
  expect([odd.tokens, odd.calls, odd.cost]).toEqual([1, 1e12 + 1, 0])
})
