import { type ContextId, RunId, userMessage } from '@tenon/kernel'
import { expect, test } from 'vitest'
import {
  answered,
  asked,
  called,
  ended,
  numbered,
  proposed,
  settled,
  submitted,
  turnBegan,
  turnEnded,
} from '../test/run-events.js'
import { openForTest, temporaryFolder } from '../test/temporary-folder.js'
import type { Store } from './index.js'

const RUN = RunId('run_1')
const withStore = (): Store => openForTest({ dir: temporaryFolder() })
const submit = (store: Store, id: string, more: Parameters<typeof submitted>[0] = {}) =>
  store.journal.append(RunId(id), numbered([submitted(more)]), false)
const ids = (store: Store, ...filter: Parameters<Store['runs']['list']>) =>
  store.runs.list(...filter).runs.map((run) => run.runId)

test('a line tells what a run cost and where it stands', () => {
  const store = withStore()
  const parent = { runId: RunId('run_0'), callId: 't1.0' as never }
  store.journal.append(RUN, numbered([submitted({ principal: 'ann', parent, depth: 1 })]), false)
  store.journal.append(RUN, numbered([turnBegan(), called(), turnEnded(), proposed(), asked('q1')], 2), false)
  store.journal.append(RUN, numbered([answered('q1'), settled('t1.0', 0.5), turnBegan('t2')], 7), false)
  store.journal.append(RUN, numbered([turnEnded('t2'), ended('failed', 'limit-reached')], 10), false)
  expect(store.runs.get(RUN)).toEqual({
    runId: RUN,
    agent: 'main',
    goal: 'Count the apples',
    state: 'failed',
    contextId: 'ctx_1',
    parent: 'run_0',
    principal: 'ann',
    depth: 1,
    createdAt: 1_000,
    changedAt: 11_000,
    updatedAt: 11_000,
    endedAt: 11_000,
    turns: 2,
    tokens: 260,
    cost: 1,
    openInputs: 0,
    errorCode: 'limit-reached',
  })
  expect(store.runs.get(RunId('run_2'))).toBeUndefined()
})

test('a run at work tells what it has used so far, whoever goes on with it', () => {
  const dir = temporaryFolder()
  const used = () => {
    const { turns, tokens, cost, updatedAt } = store.runs.list({ state: 'working' }).runs[0] ?? {}
    return { turns, tokens, cost, updatedAt }
  }
  let store = openForTest({ dir })
  store.journal.append(RUN, numbered([submitted(), turnBegan()]), false)
  store.journal.append(RUN, numbered([called(), turnEnded(), proposed()], 3), false)
  expect(used()).toEqual({ turns: 1, tokens: 130, cost: 0.25, updatedAt: 5_000 })
  store.close()
  store = openForTest({ dir })
  expect(used()).toEqual({ turns: 1, tokens: 130, cost: 0.25, updatedAt: 5_000 })
  store.journal.append(RUN, numbered([settled('t1.0', 2), turnBegan('t2')], 6), false)
  store.journal.append(RUN, numbered([turnEnded('t2', 0)], 8), false)
  expect(used()).toEqual({ turns: 2, tokens: 260, cost: 2.25, updatedAt: 8_000 })
})

test('a long goal is cut, and never within a character', () => {
  const store = withStore()
  submit(store, 'short', { goal: userMessage('  two\n\tlines \u0000') })
  submit(store, 'long', { goal: userMessage(`${'x'.repeat(198)}🍎🍎🍎`) })
  expect(store.runs.get(RunId('short'))?.goal).toBe('two lines')
  expect(store.runs.get(RunId('long'))?.goal).toBe(`${'x'.repeat(198)}…`)
})

test('filters narrow the list', () => {
  const store = withStore()
  submit(store, 'a', { agent: 'one', principal: 'ann' })
  submit(store, 'b', { agent: 'two', contextId: 'ctx_2' as ContextId })
  submit(store, 'c', { agent: 'two', parent: { runId: RunId('a'), callId: 't1.0' as never } })
  store.journal.append(RunId('c'), numbered([ended()], 2), false)
  expect(ids(store)).toEqual(['c', 'b', 'a'])
  expect(ids(store, { agent: 'two' })).toEqual(['c', 'b'])
  expect(ids(store, { principal: 'ann' })).toEqual(['a'])
  expect(ids(store, { contextId: 'ctx_2' as ContextId })).toEqual(['b'])
  expect(ids(store, { parent: RunId('a') })).toEqual(['c'])
  expect(ids(store, { parent: null })).toEqual(['b', 'a'])
  expect(ids(store, { state: 'completed' })).toEqual(['c'])
  expect(ids(store, { state: ['completed', 'submitted'], agent: 'two' })).toEqual(['c', 'b'])
  expect(ids(store, { state: [] })).toEqual([])
})

test('pages have no gaps and no repeats while runs are added', () => {
  const store = withStore()
  for (const id of ['a', 'b', 'c', 'd', 'e']) submit(store, id)
  const first = store.runs.list({ limit: 2 })
  submit(store, 'f')
  const second = store.runs.list({ limit: 2, before: first.older ?? '' })
  const third = store.runs.list({ limit: 2, before: second.older ?? '' })
  expect([first, second, third].map((page) => page.runs.map((run) => run.runId))).toEqual([
    ['e', 'd'],
    ['c', 'b'],
    ['a'],
  ])
  expect(third.older).toBeUndefined()

  for (const id of ['g', 'h']) submit(store, id)
  const news = store.runs.list({ limit: 2, after: first.newer ?? '' })
  expect(news.runs.map((run) => run.runId)).toEqual(['g', 'f'])
  expect(ids(store, { after: news.newer ?? '' })).toEqual(['h'])
  expect(
    store.runs.list({ before: first.newer ?? '', after: second.newer ?? '' }).runs.map((run) => run.runId),
  ).toEqual(['d'])
})

test('a cursor of somebody else is refused by name', () => {
  expect(() => withStore().runs.list({ before: "1' OR 1" })).toThrow(
    expect.objectContaining({ code: 'cursor-invalid' }),
  )
})

test('open requests of all runs are one list', () => {
  const store = withStore()
  for (const id of ['a', 'b']) {
    submit(store, id, { principal: `owner of ${id}` })
    store.journal.append(
      RunId(id),
      numbered([turnBegan(), called(), turnEnded(), proposed(), asked(`q-${id}`)], 2),
      false,
    )
  }
  const open = () => store.runs.openInputs().map(({ runId, request }) => [runId, request.requestId, request.kind])
  expect(open()).toEqual([
    ['a', 'q-a', 'approval'],
    ['b', 'q-b', 'approval'],
  ])
  expect(store.runs.openInputs({ runId: RunId('b') })).toMatchObject([
    { runId: 'b', agent: 'main', goal: 'Count the apples', askedAt: 6_000, request: { prompt: 'May I? (q-b)' } },
  ])
  expect(store.runs.openInputs({ limit: 1 })).toHaveLength(1)
  expect(store.runs.openInputs({ principal: 'owner of b' })).toMatchObject([{ runId: 'b' }])
  expect(store.runs.openInputs({ principal: 'nobody' })).toEqual([])
  store.journal.append(RunId('a'), numbered([answered('q-a')], 7), false)
  expect(open()).toEqual([['b', 'q-b', 'approval']])
  store.journal.append(RunId('b'), numbered([settled(), ended('canceled')], 7), false)
  expect(open()).toEqual([])
})

test('what to take up after a restart is what nobody drives', () => {
  const store = withStore()
  const parked = [submitted(), turnBegan(), called(), turnEnded(), proposed(), asked('q1')]
  for (const id of ['driven', 'abandoned', 'ended']) submit(store, id)
  for (const id of ['parked', 'answered', 'broken off']) store.journal.append(RunId(id), numbered(parked), false)
  store.journal.append(RunId('ended'), numbered([ended()], 2), false)
  store.leases.acquire(RunId('driven'), 'somebody', 60_000)
  store.leases.acquire(RunId('broken off'), 'somebody', 0)
  store.inbox.put(RunId('answered'), { id: 'x', kind: 'cancel' })
  expect(store.runs.unfinished().map((run) => [run.runId, run.parked])).toEqual([
    ['abandoned', false],
    ['parked', true],
    ['answered', false],
    ['broken off', false],
  ])
})

test('a request whose time is over wakes its run', () => {
  const store = withStore()
  const request = asked('q1')
  if (request.kind !== 'input-requested') throw new Error('not a request')
  const expired = { ...request, request: { ...request.request, expiresAt: Date.now() - 1 } }
  store.journal.append(RUN, numbered([submitted(), turnBegan(), called(), turnEnded(), proposed(), expired]), false)
  expect(store.runs.unfinished()).toMatchObject([{ runId: RUN, state: 'input-required', parked: false }])
})
