import { RunId } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { numbered, submitted } from '../test/run-events.js'
import { temporaryFolder } from '../test/temporary-folder.js'
import { openStore } from './open-store.js'

const RUN = RunId('run_1')
const LEASE = { holder: 'me', ttlMs: 60_000 }

function opened() {
  const store = openStore({ dir: temporaryFolder() })
  onTestFinished(() => store.close())
  return store
}

test('nobody else can take a run that was just begun', () => {
  const { journal, leases } = opened()
  journal.begin(RUN, numbered([submitted()]), LEASE, false)
  expect(journal.load(RUN)).toHaveLength(1)
  expect(leases.acquire(RUN, 'another', 1_000)).toBe(false)
  expect(leases.acquire(RUN, 'me', 1_000)).toBe(true)
})

test('a run that is there already is refused, and its lease stays as it is', () => {
  const { journal, leases } = opened()
  journal.append(RUN, numbered([submitted()]), false)
  expect(() => journal.begin(RUN, numbered([submitted()]), LEASE, false)).toThrow(
    expect.objectContaining({ code: 'journal-conflict' }),
  )
  expect(leases.acquire(RUN, 'another', 1_000)).toBe(true)
})

test('a run whose first append has to survive a loss of power begins as any other', () => {
  const { journal, leases } = opened()
  journal.begin(RUN, numbered([submitted()]), { holder: 'one', ttlMs: 60_000 }, true)
  expect(journal.load(RUN)).toHaveLength(1)
  expect(leases.acquire(RUN, 'two', 60_000)).toBe(false)
})

test('the lease of a run goes with its end', () => {
  const { journal, leases } = opened()
  journal.begin(RUN, numbered([submitted()]), LEASE, false)
  journal.append(RUN, numbered([{ kind: 'run-ended', state: 'completed', blocks: [] }], 2), false)
  expect(leases.acquire(RUN, 'another', 1_000)).toBe(true)
})
