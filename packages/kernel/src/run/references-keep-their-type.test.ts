import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import { text } from '../content/block.js'
import { ROOT_SCOPE } from '../content/ids.js'
import type { JsonObject } from '../content/json.js'
import type { HostStep, Planner } from '../planner/command.js'
import { reactIn } from '../planner/react.js'
import { referencedNames } from './references.js'
import type { RunState } from './state.js'

type Plan = readonly HostStep[]

/** Plans that a person wrote, carried out one after the other, then one turn of the model. */
const written = (plans: readonly Plan[]): Planner => ({
  name: 'written',
  version: 1,
  next: (run) => {
    const blocks = plans[run.turnCount]
    const isUnderWay = run.ready().size > 0 || run.blocked().size > 0 || run.openCalls() > 0
    return blocks && !isUnderWay
      ? [{ kind: 'write', scope: ROOT_SCOPE, purpose: 'plan', blocks }]
      : reactIn(run, ROOT_SCOPE)
  },
})

async function carriedOut(...plans: readonly Plan[]): Promise<{ run: RunState; seen: JsonObject[] }> {
  const seen: JsonObject[] = []
  const search = testTool('search', () => result({ items: [{ id: 7, name: 'Ann' }], note: 'a$1b' }))
  const use = testTool('use', (args) => {
    seen.push(args)
    return result('used')
  })
  const boom = testTool('boom', () => {
    throw new Error('no such shop')
  })
  const talk = testTool('talk', () => ({ kind: 'result', content: [text('one'), text('two')] }))
  const web = testTool('web', () => result('a page'), { trust: 'untrusted' })
  const big = testTool('big', () => result({ rows: Array.from({ length: 30_000 }, (_, n) => n) }))
  const model = scriptedModel([[say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [search, use, boom, talk, web, big], planner: written(plans) }))
  return { run: await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' })), seen }
}

const first: HostStep = { tool: 'search', args: {}, alias: '1' }

test('a whole reference keeps its type, one inside text becomes text, two dollars are one', async () => {
  const { seen } = await carriedOut([
    first,
    { tool: 'use', args: { id: '$1.items[0].id', all: '${1}.items', text: 'for $1.items[0].name: $$5' } },
  ])
  expect(seen).toEqual([{ id: 7, all: [{ id: 7, name: 'Ann' }], text: 'for Ann: $5' }])
})

test('references stand at any depth, in lists too, and two dollars alone are one', async () => {
  const { seen } = await carriedOut([
    first,
    { tool: 'use', args: { ids: ['$1.items[0].id', 'x'], deep: [{ note: ['${1}.note'] }], price: '$$' } },
  ])
  expect(seen).toEqual([{ ids: [7, 'x'], deep: [{ note: ['a$1b'] }], price: '$' }])
})

test('a later plan refers to what an earlier one found, and is not run on what failed there', async () => {
  const { run, seen } = await carriedOut(
    [first, { tool: 'boom', args: {}, alias: 'b' }],
    [
      { tool: 'use', args: { id: '$1.items[0].id' } },
      { tool: 'use', args: { x: '$b' } },
    ],
  )
  expect(seen).toEqual([{ id: 7 }])
  expect([...run.calls.values()].map(({ outcome }) => outcome)).toEqual(['finished', 'failed', 'finished', 'skipped'])
})

test('a step that refers to itself is told, not waited for', async () => {
  const { run } = await carriedOut([first], [{ tool: 'use', args: { x: '$t2.1' } }])
  expect(run.call('t2.1' as never)).toMatchObject({ outcome: 'skipped' })
})

test('a step that returned no data is referred to by its text', async () => {
  const { seen } = await carriedOut([
    { tool: 'talk', args: {}, alias: 't' },
    { tool: 'use', args: { said: '$t' } },
  ])
  expect(seen).toEqual([{ said: 'one\ntwo' }])
})

test('what every object inherits is no member of a result', async () => {
  const { run } = await carriedOut([first, { tool: 'use', args: { x: '$1.constructor' } }])
  expect(run.call('t1.2' as never).error?.code).toBe('reference-dead')
})

test('a path that leads nowhere fails that call by name, and its siblings run', async () => {
  const { run, seen } = await carriedOut([
    first,
    { tool: 'use', args: { id: '$1.items[3].id' } },
    { tool: 'use', args: { n: 1 } },
  ])
  expect(seen).toEqual([{ n: 1 }])
  expect(run.call('t1.2' as never).error?.code).toBe('reference-dead')
})

test('a call is believed no more than what its arguments refer to', async () => {
  const { run } = await carriedOut([
    first,
    { tool: 'web', args: {}, alias: 'w' },
    { tool: 'use', args: { n: 1 } },
    { tool: 'use', args: { id: '$1.items[0].id' } },
    { tool: 'use', args: { id: '$1.items[0].id', page: '$w' } },
  ])
  const uses = [...run.calls.values()].filter(({ proposal }) => proposal.tool === 'use')
  expect(uses.map(({ proposal }) => proposal.provenance)).toEqual([
    { source: 'host', trust: 'user' },
    { source: 'host', trust: 'vetted' },
    { source: 'host', trust: 'untrusted' },
  ])
})

test('a step whose dependency failed is skipped with one observation, never run on error text', async () => {
  const { run, seen } = await carriedOut([
    { tool: 'boom', args: {}, alias: 'b' },
    { tool: 'use', args: { x: '$b' }, alias: 'u' },
    { tool: 'use', args: { y: '$u' } },
  ])
  expect(seen).toEqual([])
  expect([...run.calls.values()].map(({ outcome }) => outcome)).toEqual(['failed', 'skipped', 'skipped'])
  expect(run.state).toBe('completed')
})

test('a name that no step has is told, not left in silence', async () => {
  const { run } = await carriedOut([{ tool: 'use', args: { x: '$9.a' } }])
  expect(run.call('t1.1' as never).error?.message).toContain('no step named 9')
})

test('the full value is used where the journal holds only a handle', async () => {
  const { run, seen } = await carriedOut([
    { tool: 'big', args: {}, alias: 'b' },
    { tool: 'use', args: { last: '$b.rows[29999]' } },
  ])
  expect(seen).toEqual([{ last: 29_999 }])
  expect(run.call('t1.1' as never)).toMatchObject({
    value: undefined,
    valueArtifact: expect.stringMatching(/^sha256:/),
  })
})

test('step 1 is not found inside step 10, and a price is no reference in a turn of plain calls', async () => {
  expect(referencedNames({ a: '$10 and ${1}.x', b: ['$$2'] })).toEqual(['10', '1'])
  const seen: JsonObject[] = []
  const use = testTool('use', (args) => {
    seen.push(args)
    return result('ok')
  })
  const model = scriptedModel([
    [{ kind: 'tool-call', name: 'use', args: { price: '$5', home: '${HOME}' }, alias: 'c' }],
    [say('done')],
  ])
  const { engine } = hostOf(testAgent({ model, tools: [use] }))
  await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(seen).toEqual([{ price: '$5', home: '${HOME}' }])
})
