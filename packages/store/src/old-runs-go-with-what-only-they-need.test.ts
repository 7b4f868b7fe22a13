import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ArtifactId, type Grant, RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { asked, called, ended, numbered, proposed, submitted, turnBegan, turnEnded } from '../test/run-events.js'
import { openForTest, temporaryFolder } from '../test/temporary-folder.js'
import { Connection } from './connection.js'
import { loadDriver } from './driver.js'
import type { Store } from './index.js'

/** Event `seq` is at `1000 * seq`, so a run that ends at once ends at 2000. */
function keep(store: Store, id: string, state: 'open' | 'ended', parent?: string): void {
  const more = parent === undefined ? {} : { parent: { runId: RunId(parent), callId: 't1.0' as never }, depth: 1 }
  store.journal.append(RunId(id), numbered([submitted(more), ...(state === 'ended' ? [ended()] : [])]), false)
}
const ids = (store: Store) => store.runs.list().runs.map((run) => run.runId)
const put = (store: Store, text: string, ...runs: string[]): ArtifactId | undefined =>
  runs
    .map((id) => store.artifacts.put(Buffer.from(text), { name: 'a', mediaType: 'b', runId: RunId(id) }).artifactId)
    .at(-1)
const files = (dir: string) => readdirSync(join(dir, 'artifacts'), { recursive: true, withFileTypes: true })

test('only runs that ended before the time go, with journal and inbox', async () => {
  const store = openForTest({ dir: temporaryFolder() })
  keep(store, 'old', 'ended')
  keep(store, 'open', 'open')
  store.inbox.put(RunId('old'), { id: 'a', kind: 'cancel' })
  expect(await store.prune({ olderThan: 2_000 })).toEqual({ runs: 0, artifacts: 0, vacuumed: true })
  expect(await store.prune({ olderThan: 2_001, vacuum: false })).toEqual({ runs: 1, artifacts: 0, vacuumed: false })
  expect(ids(store)).toEqual(['open'])
  expect(store.journal.load(RunId('old'))).toEqual([])
  expect(store.inbox.peek(RunId('old'))).toEqual([])
  expect(store.check()).toEqual([])
})

test('of a run that went no table holds anything', async () => {
  const store = openForTest({ dir: temporaryFolder() })
  const asking = numbered([submitted(), turnBegan(), called(), turnEnded(), proposed(), asked('q1')])
  for (const id of ['old', 'open']) {
    store.journal.append(RunId(id), asking, false)
    store.inbox.put(RunId(id), { id: 'a', kind: 'cancel' })
    put(store, id, id)
    store.pushes.put({ runId: RunId(id), id: 'p', body: '', host: 'h', seq: 0 })
    store.pushes.bury(RunId(id), 'p', { seq: 1, part: 0 }, 'gone')
  }
  store.journal.append(RunId('old'), numbered([ended()], asking.length + 1), false)
  for (const id of ['old', 'open']) store.leases.acquire(RunId(id), 'me', 60_000)
  const connection = new Connection(loadDriver(), store.file, { busyMs: 1_000 })
  const tables = [
    'runs',
    'journal',
    'inputs',
    'inbox',
    'leases',
    'artifact_runs',
    'artifacts',
    'push_targets',
    'push_dead',
  ]
  const rows = () => tables.map((table) => Number(connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n))
  const before = rows()
  await store.prune({ olderThan: 100_000 })
  const after = rows()
  connection.close()
  expect(before).toEqual([2, 3, 1, 2, 2, 2, 2, 2, 2])
  expect(after).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1])
})

test('a sub-run stays while its parent is kept, and goes with it', async () => {
  const store = openForTest({ dir: temporaryFolder() })
  keep(store, 'parent', 'open')
  keep(store, 'child', 'ended', 'parent')
  keep(store, 'orphan', 'ended', 'gone')
  expect((await store.prune({ olderThan: 9_000 })).runs).toBe(1)
  expect(ids(store)).toEqual(['child', 'parent'])
  store.journal.append(RunId('parent'), numbered([ended()], 2), false)
  expect((await store.prune({ olderThan: 9_000 })).runs).toBe(2)
})

test('an artifact goes with the last run that refers to it', async () => {
  const dir = temporaryFolder()
  const store = openForTest({ dir })
  keep(store, 'old', 'ended')
  keep(store, 'open', 'open')
  const own = put(store, 'own', 'old')
  const common = put(store, 'common', 'old', 'open')
  if (own === undefined || common === undefined) throw new Error('nothing was put')
  expect(await store.prune({ olderThan: 9_000 })).toMatchObject({ runs: 1, artifacts: 1 })
  expect(store.artifacts.meta(own)).toBeUndefined()
  expect(store.artifacts.read(common, 0, 9)).toHaveLength(6)
  expect(files(dir).filter((entry) => entry.isFile())).toHaveLength(1)
})

test('what a run shares with another stays for that one', async () => {
  const store = openForTest({ dir: temporaryFolder() })
  keep(store, 'old', 'ended')
  keep(store, 'open', 'open')
  const shared = put(store, 'shared', 'old')
  if (shared === undefined) throw new Error('nothing was put')
  store.artifacts.share(RunId('old'), RunId('open'))
  expect(await store.prune({ olderThan: 9_000 })).toMatchObject({ runs: 1, artifacts: 0 })
  expect(store.artifacts.read(shared, 0, 9)).toHaveLength(6)
})

test('more runs than one transaction takes all go, and the file gets smaller', async () => {
  const store = openForTest({ dir: temporaryFolder() })
  for (let run = 0; run < 450; run++) keep(store, `run_${run}`, 'ended')
  const before = store.size()
  expect(await store.prune({ olderThan: 9_000 })).toEqual({ runs: 450, artifacts: 0, vacuumed: true })
  expect(store.size()).toBeLessThan(before / 2)
  keep(store, 'new', 'open')
  expect(ids(store)).toEqual(['new'])
})

test('a stale writer cannot bring a removed run back', async () => {
  const store = openForTest({ dir: temporaryFolder() })
  keep(store, 'old', 'ended')
  await store.prune({ olderThan: 9_000 })
  expect(() => store.journal.append(RunId('old'), numbered([ended()], 3), false)).toThrow(
    expect.objectContaining({ code: 'journal-conflict' }),
  )
})

test('grants that have ended go, the others stay until they are taken back', async () => {
  const store = openForTest({ dir: temporaryFolder() })
  const grant = (grantId: string, expiresAt?: number): Grant => ({
    grantId,
    tool: 'write',
    origin: { kind: 'function', name: 'test' },
    toolDigest: 'sha256:00',
    scope: 'always',
    grantedBy: 'ann',
    ...(expiresAt === undefined ? {} : { expiresAt }),
  })
  for (const one of [grant('over', 5), grant('later', 50_000), grant('ever')]) store.grants.add(one)
  await store.prune({ olderThan: 9_000 })
  expect(store.grants.all().map((one) => one.grantId)).toEqual(['later', 'ever'])
  expect([store.grants.revoke('ever'), store.grants.revoke('ever')]).toEqual([true, false])
  expect(store.grants.list('write').map((one) => one.grantId)).toEqual(['later'])
})

test('one run is removed with its sub-runs and what only they refer to, and nothing else', () => {
  const dir = temporaryFolder()
  const store = openForTest({ dir })
  for (const id of ['root', 'other']) keep(store, id, 'ended')
  keep(store, 'child', 'ended', 'root')
  keep(store, 'grandchild', 'ended', 'child')
  const own = put(store, 'own', 'grandchild')
  const common = put(store, 'common', 'child', 'other')
  if (own === undefined || common === undefined) throw new Error('nothing was put')
  expect(store.remove(RunId('root'))).toEqual({ runs: 3, artifacts: 1 })
  expect(ids(store)).toEqual(['other'])
  expect(store.journal.load(RunId('grandchild'))).toEqual([])
  expect([store.artifacts.meta(own), store.artifacts.read(common, 0, 9).byteLength]).toEqual([undefined, 6])
  expect(store.remove(RunId('root'))).toEqual({ runs: 0, artifacts: 0 })
  expect(store.check()).toEqual([])
})

test('a run that has not ended, or belongs to one that is kept, is not removed', () => {
  const store = openForTest({ dir: temporaryFolder() })
  keep(store, 'open', 'open')
  keep(store, 'ended', 'ended')
  keep(store, 'working', 'open', 'ended')
  keep(store, 'done', 'ended', 'ended')
  for (const [id, named] of [
    ['open', 'open'],
    ['ended', 'working'],
    ['done', 'ended'],
  ] as const)
    expect(() => store.remove(RunId(id))).toThrow(
      expect.objectContaining({ code: 'run-kept', message: expect.stringContaining(named) }),
    )
  expect(store.runs.list().runs).toHaveLength(4)
})
