import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
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
