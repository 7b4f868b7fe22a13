import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { below, submitted } from '../../test/support/submitted.js'
import { RunId } from '../content/ids.js'
import { STORE_CASES } from '../testing/store-cases.js'
import { memoryArtifacts } from './memory-artifacts.js'
import { memoryGrants } from './memory-grants.js'
import { memoryInbox } from './memory-inbox.js'
import { memoryJournal } from './memory-journal.js'
import { memoryLeases } from './memory-leases.js'

describe('every store', () => {
  test.each(STORE_CASES)('$name', async ({ run }) => {
    await run({
      journal: memoryJournal(),
      inbox: memoryInbox(),
      leases: memoryLeases(),
      grants: memoryGrants(),
      artifacts: memoryArtifacts((bytes) => createHash('sha256').update(bytes).digest('hex')),
    })
  })
})

test('a lease in memory ends with its clock', () => {
  let now = 0
  const leases = memoryLeases({ now: () => now })
  const run = RunId('run_1')
  expect(leases.acquire(run, 'a', 10)).toBe(true)
  now = 9
  expect(leases.acquire(run, 'b', 10)).toBe(false)
  now = 10
  expect(leases.acquire(run, 'b', 10)).toBe(true)
})

test('of runs that have ended the last ones are kept, with their sub-runs and beside those that go on', () => {
  const journal = memoryJournal({ keep: 2 })
  const begin = (name: string, parent?: string): void =>
    void journal.append(RunId(name), [submitted(parent === undefined ? {} : below(parent))], false)
  const end = (name: string): void =>
    void journal.append(RunId(name), [{ seq: 2, at: 2, kind: 'run-ended', state: 'completed', blocks: [] }], false)
  const kept = (...names: string[]) =>
    names.filter((name) => (journal.load(RunId(name)) as readonly unknown[]).length > 0)

  begin('working')
  begin('family')
  for (const child of ['child1', 'child2', 'child3', 'child4']) begin(child, 'family')
  begin('grandchild', 'child1')
  for (const name of ['grandchild', 'child1', 'child2', 'child3', 'child4']) end(name)
  const family = ['family', 'child1', 'child2', 'child3', 'child4', 'grandchild']
  expect(kept(...family)).toEqual(family)
  end('family')
  for (const name of ['one', 'two']) {
    expect(kept(...family)).toEqual(family)
    begin(name)
    end(name)
  }
  expect(kept('working', ...family, 'one', 'two')).toEqual(['working', 'one', 'two'])

  begin('left', 'one')
  for (const name of ['three', 'four']) {
    begin(name)
    end(name)
  }
  expect(kept('one', 'left')).toEqual(['left'])
  end('left')
  expect(kept('three', 'four', 'left')).toEqual(['four', 'left'])
})
