import { join } from 'node:path'
import { type Grant, RunId } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { ended, numbered, submitted } from '../test/run-events.js'
import { temporaryFolder } from '../test/temporary-folder.js'
import { beginRun } from './begin-run.js'
import type { Connection } from './connection.js'
import { loadDriver } from './driver.js'
import { sqliteGrants } from './grants.js'
import { sqliteJournal } from './journal.js'
import { sqliteLeases } from './leases.js'
import { openDatabase } from './open-database.js'

const RUN = RunId('run_1')
const GRANT: Grant = {
  grantId: 'g1',
  tool: 'pay',
  origin: { kind: 'function', name: 'f' },
  toolDigest: 'd',
  scope: 'always',
  grantedBy: 'cli',
}

function opened(alwaysSync: boolean): Connection {
  const connection = openDatabase(loadDriver(), join(temporaryFolder(), 'a.db'), { busyMs: 1_000, alwaysSync })
  onTestFinished(() => connection.close())
  return connection
}

/** How SQLite was told to commit last: `FULL` waits for the disk, `NORMAL` does not. */
const commits = (connection: Connection) => (Number(connection.pragma('synchronous')) === 2 ? 'FULL' : 'NORMAL')

test('an append waits for the disk where it asks for it, and a consent that is taken back always does', () => {
  const connection = opened(false)
  const journal = sqliteJournal(connection)
  const leases = sqliteLeases(connection, journal.forget)
  const grants = sqliteGrants(connection)
  const seen = (work: () => unknown) => {
    work()
    return commits(connection)
  }
  expect(seen(() => journal.append(RUN, numbered([submitted()]), false))).toBe('NORMAL')
  expect(seen(() => journal.append(RUN, numbered([ended()], 2), true))).toBe('FULL')
  expect(seen(() => grants.add(GRANT))).toBe('NORMAL')
  expect(seen(() => grants.revoke('g1'))).toBe('FULL')
  expect(seen(() => leases.acquire(RUN, 'me', 1_000))).toBe('NORMAL')
  const begin = beginRun(connection, journal, leases)
  const lease = { holder: 'me', ttlMs: 1_000 }
  expect(seen(() => begin(RunId('run_2'), numbered([submitted()]), lease, true))).toBe('FULL')
  expect(seen(() => begin(RunId('run_3'), numbered([submitted()]), lease, false))).toBe('NORMAL')
})

test('in a store of full durability every commit waits for the disk', () => {
  const connection = opened(true)
  sqliteJournal(connection).append(RUN, numbered([submitted()]), false)
  expect(commits(connection)).toBe('FULL')
})
