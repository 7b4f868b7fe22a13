import { RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { numbered, submitted } from './run-events.js'
import { StoreProcess } from './store-process.js'
import { openForTest, temporaryFolder } from './temporary-folder.js'

const RUN = RunId('run_1')

async function opened(dir: string): Promise<StoreProcess> {
  const child = new StoreProcess()
  expect(await child.ask('open', { dir })).toHaveProperty('result')
  return child
}

test('of two appenders exactly one wins each seq', async () => {
  const dir = temporaryFolder()
  const store = openForTest({ dir })
  store.journal.append(RUN, numbered([submitted()]), false)
  const children = await Promise.all([opened(dir), opened(dir)])
  const results = (await Promise.all(
    children.map((child, index) => child.ask('append-many', { runId: RUN, count: 150, who: `child ${index}` })),
  )) as { result: { won: number[] } }[]

  const won = results.map(({ result }) => result.won)
  expect(won.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, index) => index + 2))
  const kept = store.journal.load(RUN, 1)
  for (const [index, seqs] of won.entries())
    for (const seq of seqs) expect(kept[seq - 2]).toMatchObject({ seq, reason: `child ${index}` })
})

test('processes that make the same new store at once all have it', async () => {
  const dir = temporaryFolder()
  const children = [new StoreProcess(), new StoreProcess(), new StoreProcess()]
  const opens = await Promise.all(children.map((child) => child.ask('open', { dir })))
  for (const open of opens) expect(open).toHaveProperty('result')
  openForTest({ dir }).journal.append(RUN, numbered([submitted()]), false)
  const lists = await Promise.all(children.map((child) => child.ask('list')))
  expect(lists).toEqual(children.map(() => ({ result: [RUN] })))
})

test('an answer that another process gives reaches the one that drives the run', async () => {
  const dir = temporaryFolder()
  const store = openForTest({ dir })
  const child = await opened(dir)
  const woken = new Promise<void>((resolve) => store.inbox.watch(RUN, resolve))
  const item = { id: 'answer:q1', kind: 'answer', requestId: 'q1', answer: { kind: 'approve' } }
  // The timer of the change feed keeps no process alive; the child's pipe does here.
  expect(await child.ask('put', { runId: RUN, item })).toEqual({ result: null })
  await woken
  expect(store.inbox.peek(RUN)).toEqual([item])
})

test('word for one run does not wake those who watch another', async () => {
  const dir = temporaryFolder()
  const store = openForTest({ dir })
  const child = await opened(dir)
  let others = 0
  store.inbox.watch(RunId('run_2'), () => others++)
  const woken = new Promise<void>((resolve) => store.inbox.watch(RUN, resolve))
  await child.ask('put', { runId: RUN, item: { id: 'a', kind: 'cancel' } })
  await woken
  expect(others).toBe(0)
})

test('the lease of a killed process can be taken at once, that of a living one cannot', async () => {
  const dir = temporaryFolder()
  const store = openForTest({ dir })
  const child = await opened(dir)
  expect(await child.ask('acquire', { runId: RUN, ttlMs: 3_600_000 })).toEqual({ result: true })
  store.journal.append(RUN, numbered([submitted()]), false)
  expect(store.leases.acquire(RUN, store.holder, 1_000)).toBe(false)
  expect(store.runs.unfinished()).toEqual([])
  await child.kill()
  expect(store.runs.unfinished()).toMatchObject([{ runId: RUN, parked: false }])
  expect(store.leases.acquire(RUN, store.holder, 3_600_000)).toBe(true)
  expect(await (await opened(dir)).ask('acquire', { runId: RUN, ttlMs: 1_000 })).toEqual({ result: false })
})

test('two stores in one process are two holders', () => {
  const dir = temporaryFolder()
  const [a, b] = [openForTest({ dir }), openForTest({ dir })]
  expect(a.leases.acquire(RUN, a.holder, 60_000)).toBe(true)
  expect(b.leases.acquire(RUN, b.holder, 60_000)).toBe(false)
})

test('a writer that another process took over from is refused, and goes on after it has loaded again', async () => {
  const dir = temporaryFolder()
  const store = openForTest({ dir })
  store.journal.append(RUN, numbered([submitted()]), false)
  const child = await opened(dir)
  await child.ask('append-many', { runId: RUN, count: 3, who: 'child' })
  const mine = { at: 0, kind: 'cancel-requested', reason: 'mine' } as const
  expect(() => store.journal.append(RUN, [{ ...mine, seq: 2 }], false)).toThrow(
    expect.objectContaining({ code: 'journal-conflict' }),
  )
  const { seq } = store.journal.load(RUN).at(-1) ?? { seq: 0 }
  store.journal.append(RUN, [{ ...mine, seq: seq + 1 }], false)
  expect(store.journal.load(RUN).map((event) => event.seq)).toEqual([1, 2, 3, 4, 5])
})
