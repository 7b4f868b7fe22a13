import { join } from 'node:path'
import { RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { numbered, submitted, turnBegan, turnEnded } from '../test/run-events.js'
import { openForTest, temporaryFolder } from '../test/temporary-folder.js'
import { loadDriver } from './driver.js'
import { openStore, StoreError } from './index.js'
import { APPLICATION_ID, MIGRATIONS } from './migrations.js'

const RUN = RunId('run_1')
const EVENTS = numbered([submitted(), turnBegan(), turnEnded()])
const { DatabaseSync } = loadDriver()
const OLDER = Array.from({ length: MIGRATIONS.length - 1 }, (_, index) => index + 1)

/** A file as the given version made it, with the rows of a run in it. */
function olderStore(version: number): string {
  const dir = temporaryFolder()
  const now = temporaryFolder()
  const store = openForTest({ dir: now })
  store.journal.append(RUN, EVENTS, false)
  store.close()
  const older = new DatabaseSync(join(dir, 'tenon.db'))
  for (const migration of MIGRATIONS.slice(0, version)) older.exec(migration)
  older.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version}`)
  older.exec(`ATTACH '${join(now, 'tenon.db').replaceAll("'", "''")}' AS now`)
  for (const table of ['runs', 'journal']) older.exec(`INSERT INTO ${table} SELECT * FROM now.${table}`)
  older.close()
  return dir
}

function look(dir: string, sql: string): unknown {
  const connection = new DatabaseSync(join(dir, 'tenon.db'))
  const rows = connection.prepare(sql).all()
  connection.close()
  return rows
}

const SCHEMA = 'SELECT type, name, sql FROM sqlite_schema ORDER BY name'

test.each(OLDER)('a store of version %s has its runs, and what a new one has', async (version) => {
  const dir = olderStore(version)
  const store = openForTest({ dir })
  expect(await store.journal.load(RUN)).toEqual(EVENTS)
  expect(store.runs.list({}).runs.map(({ runId }) => runId)).toEqual([RUN])
  store.close()
  const fresh = temporaryFolder()
  openStore({ dir: fresh }).close()
  expect(look(dir, SCHEMA)).toEqual(look(fresh, SCHEMA))
  expect(look(dir, 'PRAGMA user_version')).toEqual([{ user_version: MIGRATIONS.length }])
})

test('an index that an early build did not make is not missed', () => {
  const dir = olderStore(3)
  const older = new DatabaseSync(join(dir, 'tenon.db'))
  older.exec('DROP INDEX runs_open')
  older.close()
  expect(openForTest({ dir }).runs.list({}).runs).toHaveLength(1)
})

test('one that cannot be brought up to date stays as it is, for the Tenon that made it', () => {
  const dir = olderStore(1)
  const older = new DatabaseSync(join(dir, 'tenon.db'))
  // In the way of something that the second version makes, after its first statements.
  older.exec('CREATE TABLE send_keys (mine TEXT)')
  older.close()
  const before = look(dir, SCHEMA)
  expect(() => openStore({ dir })).toThrow(StoreError)
  expect(look(dir, SCHEMA)).toEqual(before)
  expect(look(dir, 'PRAGMA user_version')).toEqual([{ user_version: 1 }])
})
