import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { numbered, submitted } from '../test/run-events.js'
import { openForTest, temporaryFolder } from '../test/temporary-folder.js'
import { loadDriver } from './driver.js'
import { openStore, StoreError } from './index.js'

const RUN = RunId('run_1')
const { DatabaseSync } = loadDriver()

/** Every file of the folder that holds data: locks stand in the shared memory, and a log may be empty. */
const contents = (dir: string) =>
  readdirSync(dir)
    .filter((name) => !name.endsWith('-shm'))
    .map((name) => [name, readFileSync(join(dir, name))] as const)
    .filter(([, bytes]) => bytes.byteLength > 0)
    .map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')])

function refusal(work: () => unknown): StoreError {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof StoreError) return thrown
    throw thrown
  }
  throw new Error('was not refused')
}

test('a file of a newer Tenon', () => {
  const dir = temporaryFolder()
  const store = openForTest({ dir })
  store.journal.append(RUN, numbered([submitted()]), false)
  const newer = new DatabaseSync(store.file)
  newer.exec('PRAGMA user_version = 99')
  // Both are open: what was written still stands in the write-ahead log alone.
  const before = contents(dir)
  const error = refusal(() => openStore({ dir }))
  expect(error.code).toBe('store-newer')
  expect(error.message).toMatch(/store version 99; this one knows \d+\).*update Tenon/)
  expect(contents(dir)).toEqual(before)
  newer.close()
})

test('a file of a newer Tenon that nobody has open', () => {
  const dir = temporaryFolder()
  openStore({ dir }).close()
  const newer = new DatabaseSync(join(dir, 'tenon.db'))
  newer.exec('PRAGMA user_version = 99')
  newer.close()
  const before = contents(dir)
  expect(refusal(() => openStore({ dir })).code).toBe('store-newer')
  expect(contents(dir)).toEqual(before)
})

test('an SQLite file of another program', () => {
  const dir = temporaryFolder()
  const file = join(dir, 'notes.db')
  const other = new DatabaseSync(file)
  other.exec('CREATE TABLE notes (text); INSERT INTO notes VALUES (1)')
  other.close()
  const before = contents(dir)
  const error = refusal(() => openStore({ file }))
  expect(error.code).toBe('store-foreign')
  expect(error.message).toContain(file)
  expect(contents(dir)).toEqual(before)
})

test('a file that is no SQLite file', () => {
  const dir = temporaryFolder()
  writeFileSync(join(dir, 'tenon.db'), 'Dear diary, '.repeat(1_000))
  const before = contents(dir)
  const error = refusal(() => openStore({ dir }))
  expect(error.code).toBe('store-corrupt')
  expect(error.message).toMatch(/tenon\.db: .*put the last backup in its place/)
  expect(contents(dir)).toEqual(before)
})

test('a folder in the place of the file', () => {
  const dir = temporaryFolder()
  mkdirSync(join(dir, 'tenon.db'))
  expect(refusal(() => openStore({ dir })).message).toContain('tenon.db')
})

test('an empty file is a new store', () => {
  const dir = temporaryFolder()
  writeFileSync(join(dir, 'tenon.db'), '')
  const store = openForTest({ dir })
  store.journal.append(RUN, numbered([submitted()]), false)
  expect(store.journal.load(RUN)).toHaveLength(1)
})

test('damage in the middle of the file is named when it is met, and found by a check', () => {
  const dir = temporaryFolder()
  openStore({ dir }).close()
  // The schema stays whole, so that the file can still be opened.
  const schemaEnds = readFileSync(join(dir, 'tenon.db')).length
  const store = openStore({ dir })
  for (let run = 0; run < 200; run++) store.journal.append(RunId(`run_${run}`), numbered([submitted()]), false)
  store.close()
  const file = join(dir, 'tenon.db')
  const bytes = readFileSync(file)
  bytes.fill(0xa5, schemaEnds)
  writeFileSync(file, bytes)

  const damaged = openForTest({ dir })
  expect(damaged.check()).not.toEqual([])
  const error = refusal(() => {
    for (let run = 0; run < 200; run++) damaged.journal.load(RunId(`run_${run}`))
  })
  expect(error.code).toBe('store-corrupt')
  expect(error.message).not.toContain(dir)
})

test('a half-written copy of a store is not taken for one', () => {
  const dir = temporaryFolder()
  openStore({ dir }).close()
  const half = temporaryFolder()
  writeFileSync(join(half, 'tenon.db'), readFileSync(join(dir, 'tenon.db')).subarray(0, 3 * 4096))
  const before = contents(half)
  expect(() => {
    const store = openForTest({ dir: half })
    store.runs.list()
    store.journal.append(RUN, numbered([submitted()]), false)
  }).toThrow(expect.objectContaining({ code: 'store-corrupt' }))
  expect(contents(half)).toEqual(before)
})

test('a store that was closed says so', () => {
  const store = openStore({ dir: temporaryFolder() })
  store.close()
  store.close()
  expect(refusal(() => store.journal.load(RUN)).code).toBe('store-closed')
  expect(refusal(() => store.journal.append(RUN, numbered([submitted()]), true)).code).toBe('store-closed')
  expect(refusal(() => store.runs.list()).code).toBe('store-closed')
})

test('a file where the folder of the store should be is named as such', () => {
  const dir = temporaryFolder()
  writeFileSync(join(dir, 'taken'), 'mine')
  for (const where of [join(dir, 'taken'), join(dir, 'taken', 'below')])
    expect(refusal(() => openStore({ dir: where })).message).toContain('a file stands where its folder should be')
})

test.each([
  ['nothing', undefined],
  ['a text', 'runs'],
  ['an object without a place', {}],
  ['an empty folder', { dir: '' }],
  ['a number', { file: 7 }],
])('%s for a place makes no store and says how one is named', (_, place) => {
  expect(() => openStore(place as never)).toThrow(
    expect.objectContaining({ code: 'store-failed', message: expect.stringContaining('openStore({ dir: ".tenon" })') }),
  )
})
