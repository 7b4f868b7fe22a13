import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { AUTHOR, callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool, texts } from '../../test/support/tools.js'
import type { ModelBlock } from '../content/block.js'
import type { Json } from '../content/json.js'
import type { Tool } from '../ports/tool.js'
import type { RunState } from '../run/state.js'

const find = testTool('find', ({ q }) => result(`found ${q}`), { input: texts('q') })

async function observationsOf(
  blocks: readonly ModelBlock[],
  tool: Tool = find,
): Promise<{ run: RunState; told: readonly string[] }> {
  const model = scriptedModel([blocks, [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [tool] }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  const results = model.requests[1]?.messages.at(-1)
  const told =
    results?.role === 'tool'
      ? results.blocks.map(({ content }) => content.map((part) => (part.kind === 'text' ? part.text : '')).join(''))
      : []
  return { run, told }
}

test('an unknown tool is told with the tools that there are, and the run goes on', async () => {
  const { run, told } = await observationsOf([callTool('search', { q: 'x' })])
  expect(told).toEqual(['There is no tool named "search". The tools are: find.'])
  expect(run.state).toBe('completed')
})

test('a call that runs beside one that cannot is not lost', async () => {
  const { told } = await observationsOf([callTool('search'), callTool('find', { q: 'a' })])
  expect(told[1]).toBe('found a')
})

test('arguments that do not fit are told with the place', async () => {
  const { told } = await observationsOf([callTool('find', { q: ['x'] })])
  expect(told[0]).toMatch(/q.*text/)
})

test('a schema that answers by promise, or breaks, is waited for: the call runs only where the arguments fit', async () => {
  const { check, json } = find.input
  const slow = { ...find, input: { json, check: async (value: Json) => check(value) } }
  const calls = [callTool('find', { q: 'a' }), callTool('find', { q: ['x'] }), callTool('find', { q: 'b' })]
  const { told } = await observationsOf(calls, slow)
  expect(told).toEqual(['found a', expect.stringMatching(/q.*text/), 'found b'])
  const broken = { ...find, input: { json, check: () => Promise.reject(new Error('no such keyword')) } }
  const { run } = await observationsOf([callTool('find', { q: 'a' })], broken)
  expect(run.call('t1.1' as never)).toMatchObject({ outcome: 'failed', error: { code: 'arguments-invalid' } })
})

test('broken JSON is told with its place, and no tool runs on an empty object', async () => {
  const problem = { code: 'args-malformed', message: 'The arguments are no JSON.', position: 6 }
  const broken: ModelBlock = {
    kind: 'tool-call',
    name: 'find',
    args: {},
    argsText: '{"q": ,}',
    problem,
    alias: 'c',
    author: AUTHOR,
  }
  const { run, told } = await observationsOf([broken])
  expect(told[0]).toMatch(/JSON/)
  expect(told[0]).toContain('6')
  expect(run.call('t1.1' as never).outcome).toBe('failed')
})

test('a lossless repair runs, and the journal says what was repaired', async () => {
  const problem = { code: 'args-malformed', message: 'The arguments are no JSON.', position: 9 }
  const trailing: ModelBlock = {
    kind: 'tool-call',
    name: 'find',
    args: {},
    argsText: '{"q": "a",}',
    problem,
    alias: 'c',
    author: AUTHOR,
  }
  const { run, told } = await observationsOf([trailing])
  expect(told).toEqual(['found a'])
  expect(run.call('t1.1' as never).proposal.repairs).toEqual(['trailing-comma'])
})

test('two calls that share one id both run, and each has its own result', async () => {
  const { told } = await observationsOf([callTool('find', { q: 'a' }, 'same'), callTool('find', { q: 'b' }, 'same')])
  expect(told).toEqual(['found a', 'found b'])
})

test('a name in another case or with a prefix is the tool that it means', async () => {
  const { run, told } = await observationsOf([callTool('functions.Find', { q: 'a' })])
  expect(told).toEqual(['found a'])
  expect(run.call('t1.1' as never).proposal).toMatchObject({ tool: 'find', repairs: ['name-normalised'] })
})

test('a name that may mean two tools is told with both, and neither runs', async () => {
  const two = scriptedModel([[callTool('FIND', { q: 'a' })], [say('done')]])
  const { engine } = hostOf(testAgent({ model: two, tools: [find, { ...find, name: 'Find' }] }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.call('t1.1' as never)).toMatchObject({
    outcome: 'failed',
    error: { code: 'tool-name-ambiguous', message: '"FIND" may mean find or Find. Use the exact name.' },
  })
})

test('of very many tools the first ones are listed, and of none that there are none', async () => {
  const many = Array.from({ length: 65 }, (_, n) => testTool(`tool_${n}`, () => result('ok')))
  const messages: (string | undefined)[] = []
  for (const tools of [many, []]) {
    const { engine } = hostOf(testAgent({ model: scriptedModel([[callTool('search')], [say('done')]]), tools }))
    const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
    messages.push(run.call('t1.1' as never).error?.message)
  }
  expect(messages[0]).toMatch(/tool_0, .*, tool_59 and 5 more\.$/)
  expect(messages[1]).toMatch(/No tools are offered\.$/)
})

test('a tool that returns nothing, or no result, is an observation too', async () => {
  const model = scriptedModel([[callTool('mute'), callTool('odd')], [say('done')]])
  const mute = testTool('mute', () => Promise.resolve(undefined as never))
  const odd = testTool('odd', async function* () {} as never)
  const { engine } = hostOf(testAgent({ model, tools: [mute, odd] }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.state).toBe('completed')
  expect([...run.calls.values()].map(({ error }) => error?.code)).toEqual(['hand-silent', 'hand-silent'])
})
