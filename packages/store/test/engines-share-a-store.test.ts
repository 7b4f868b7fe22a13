import { type HandResult, type LiveItem, RunId, type Tool } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import type { Store } from '../src/index.js'
import { appleEngine } from './children/apple-agent.mjs'
import { StoreProcess } from './store-process.js'
import { openForTest, temporaryFolder } from './temporary-folder.js'

const RUN = RunId('run_1')
const twelve: HandResult = { kind: 'result', content: [{ kind: 'text', text: '12' }] }
const goal = { agent: 'apples', goal: 'Count the apples', runId: RUN }

const untilStopped: Tool['run'] = (_args, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** An engine that stops with the test, before its store does. */
function engineOver(store: Store, count: Tool['run'], disposition?: 'allow' | 'ask') {
  const engine = appleEngine(store, count, disposition)
  onTestFinished(() => engine.close())
  return engine
}

test('a run that parks here is found, answered and finished there', async () => {
  const dir = temporaryFolder()
  const [here, there] = [openForTest({ dir }), openForTest({ dir })]
  const asking = engineOver(here, () => twelve, 'ask')
  const parked = await asking.drive(await asking.submit(goal))
  expect([parked.state, here.runs.get(RUN)?.state]).toEqual(['input-required', 'input-required'])
  expect(there.runs.unfinished()).toMatchObject([{ runId: RUN, parked: true }])

  const answering = engineOver(there, () => twelve, 'ask')
  const [open] = there.runs.openInputs()
  if (open === undefined) throw new Error('nothing is asked')
  await answering.answer(open.runId, open.request.requestId, { kind: 'approve' })
  expect((await answering.drive(RUN)).state).toBe('completed')
  expect(here.runs.get(RUN)).toMatchObject({ state: 'completed', openInputs: 0 })
  expect(here.runs.openInputs()).toEqual([])
})

test('a run that works here is followed and canceled from there', async () => {
  const dir = temporaryFolder()
  const [here, there] = [openForTest({ dir }), openForTest({ dir })]
  const driving = engineOver(here, untilStopped)
  const watching = engineOver(there, () => twelve)
  await driving.submit(goal)
  const seen: LiveItem[] = []
  for await (const item of watching.follow(RUN)) {
    seen.push(item)
    if (item.kind === 'event' && item.event.kind === 'call-begun') await watching.cancel(RUN, 'enough')
  }
  const seqs = seen.flatMap((item) => (item.kind === 'event' ? [item.event.seq] : []))
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + 1))
  expect(here.runs.get(RUN)?.state).toBe('canceled')
  expect(here.inbox.peek(RUN)).toEqual([])
})

test('a run whose process was killed is taken over at once and loses nothing', async () => {
  const dir = temporaryFolder()
  const child = new StoreProcess()
  await child.ask('open', { dir })
  expect(await child.ask('drive-forever', { runId: RUN })).toEqual({ result: 'begun' })
  const store = openForTest({ dir })
  expect(store.runs.unfinished()).toEqual([])
  await child.kill()
  expect(store.runs.unfinished()).toMatchObject([{ runId: RUN, state: 'working', parked: false }])

  let counted = 0
  const engine = engineOver(store, () => {
    counted++
    return twelve
  })
  const run = await engine.drive(RUN)
  expect([run.state, run.ended?.blocks, counted]).toEqual(['completed', [{ kind: 'text', text: 'There are 12.' }], 1])
})
