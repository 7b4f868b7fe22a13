import { RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { ended, numbered, submitted } from '../test/run-events.js'
import { openForTest, temporaryFolder } from '../test/temporary-folder.js'
import { ALL_PARTS } from './push-targets.js'

const RUN = RunId('run_1')

function told() {
  const store = openForTest({ dir: temporaryFolder() })
  store.pushes.put({ runId: RUN, id: 'p', body: '{}', host: 'hooks.example', seq: 0 })
  return store
}

test('it is due as long as its run has events that it was not told, also one that is half told', () => {
  const store = told()
  expect(store.pushes.due(1, 10)).toEqual([])
  const next = numbered([submitted(), ended()])
  store.journal.append(RUN, next, false)
  expect(store.pushes.due(1, 10)).toMatchObject([{ runId: RUN, id: 'p', seq: 0 }])
  store.pushes.advance(RUN, 'p', { seq: 2, part: 0 }, false)
  expect(store.pushes.due(1, 10)).toMatchObject([{ seq: 2, part: 0 }])
  store.pushes.advance(RUN, 'p', { seq: 2, part: ALL_PARTS }, false)
  expect(store.pushes.due(1, 10)).toEqual([])
})

test('a failed attempt is due later, and a delivery that is given up leaves the next one', () => {
  const store = told()
  store.journal.append(RUN, numbered([submitted(), ended()]), false)
  store.pushes.defer(RUN, 'p', 500)
  expect(store.pushes.due(499, 10)).toEqual([])
  expect(store.pushes.due(500, 10)).toMatchObject([{ attempts: 1 }])
  store.pushes.bury(RUN, 'p', { seq: 1, part: ALL_PARTS }, 'HTTP 500')
  expect(store.pushes.due(1, 10)).toMatchObject([{ seq: 1, attempts: 0 }])
  const [dead] = store.pushes.dead(RUN)
  expect(dead).toMatchObject({ target: 'p', seq: 1, reason: 'HTTP 500' })
  expect(store.pushes.takeDead(dead?.number ?? 0)).toEqual(dead)
  expect(store.pushes.dead(RUN)).toEqual([])
})

test('it goes with its run', async () => {
  const store = told()
  store.journal.append(RUN, numbered([submitted(), ended()]), false)
  await store.prune({ olderThan: Number.MAX_SAFE_INTEGER, vacuum: false })
  expect(store.pushes.list(RUN)).toEqual([])
})
