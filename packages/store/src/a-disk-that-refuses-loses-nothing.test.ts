import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { RunId } from '@tenon/kernel'
import { describe, expect, test } from 'vitest'
import { needs } from '../../../test-support/needs.js'
import { ended, numbered, submitted } from '../test/run-events.js'
import { openForTest, temporaryFolder } from '../test/temporary-folder.js'
import { Connection } from './connection.js'
import { loadDriver } from './driver.js'
import { openStore } from './index.js'

const RUN = RunId('run_1')
const driver = loadDriver()

/** Does `work` as somebody whom permissions bind: they do not bind root. */
function asNobody<T>(work: () => T): T {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65534)
  try {
    return work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

test('a full store refuses the append, keeps all before it, and goes on when there is room', () => {
  const dir = temporaryFolder()
  const store = openForTest({ dir, maxBytes: 400_000 })
  store.journal.append(RUN, numbered([submitted()]), false)
  const word = (seq: number) => ({ seq, at: seq, kind: 'cancel-requested', reason: 'x'.repeat(10_000) }) as const
  let seq = 2
  const fill = () => {
    for (; seq < 1_000; seq++) store.journal.append(RUN, [word(seq)], seq % 7 === 0)
  }
  expect(fill).toThrow(
    expect.objectContaining({ code: 'store-full', message: expect.stringMatching(/prune old runs/) }),
  )
  expect(seq).toBeGreaterThan(10)
  expect(store.journal.load(RUN)).toHaveLength(seq - 1)
  expect(fill).toThrow(expect.objectContaining({ code: 'store-full' }))
  expect(store.check()).toEqual([])
  store.close()

  const roomier = openForTest({ dir })
  expect(roomier.journal.load(RUN)).toHaveLength(seq - 1)
  roomier.journal.append(RUN, [word(seq)], true)
  expect(roomier.journal.load(RUN)).toHaveLength(seq)
})

test('a full store keeps the list in step with the journal', () => {
  const store = openForTest({ dir: temporaryFolder(), maxBytes: 400_000 })
  store.journal.append(RUN, numbered([submitted()]), false)
  const [end] = numbered([ended()], 2)
  const large = { ...end, blocks: [{ kind: 'text', text: 'x'.repeat(1_000_000) }] }
  expect(() => store.journal.append(RUN, [large as never], true)).toThrow(
    expect.objectContaining({ code: 'store-full' }),
  )
  expect(store.runs.get(RUN)?.state).toBe('submitted')
  store.journal.append(RUN, numbered([ended('failed')], 2), true)
  expect(store.runs.get(RUN)?.state).toBe('failed')
})

test('a store that was never made cannot be made in a full place', () => {
  const dir = temporaryFolder()
  expect(() => openStore({ dir, maxBytes: 8_192 })).toThrow(expect.objectContaining({ code: 'store-full' }))
  expect(openForTest({ dir }).runs.list().runs).toEqual([])
})

describe('permissions', () => {
  needs('file permissions that bind', () => process.platform !== 'win32')

  test('a folder that may not be written is named', () => {
    const folder = temporaryFolder()
    const readOnly = join(folder, 'read-only')
    mkdirSync(readOnly)
    chmodSync(folder, 0o755)
    chmodSync(readOnly, 0o555)
    for (const dir of [readOnly, join(readOnly, 'deeper')])
      expect(() => asNobody(() => openStore({ dir }))).toThrow(
        expect.objectContaining({ code: 'store-read-only', message: expect.stringContaining(dir) }),
      )
  })

  test('a file that may not be written is named before anything is done', () => {
    const dir = temporaryFolder()
    openStore({ dir }).close()
    chmodSync(join(dir, 'tenon.db'), 0o444)
    for (const mode of [0o777, 0o555]) {
      chmodSync(dir, mode)
      expect(() => asNobody(() => openStore({ dir }))).toThrow(
        expect.objectContaining({ code: 'store-read-only', message: expect.stringContaining('tenon.db') }),
      )
    }
  })
})

test('what SQLite may not write is told as read-only, without a path', () => {
  const file = join(temporaryFolder(), 'a.db')
  const connection = new Connection(driver, file, { busyMs: 0 })
  connection.exec('CREATE TABLE t (a); PRAGMA query_only = 1')
  expect(() => connection.transaction(() => connection.prepare('INSERT INTO t VALUES (1)').run())).toThrow(
    expect.objectContaining({ code: 'store-read-only', message: expect.not.stringContaining(file) }),
  )
  connection.close()
})

test('a store that others keep locked is busy, and is not when they let go', () => {
  const dir = temporaryFolder()
  const store = openForTest({ dir, busyMs: 20 })
  store.journal.append(RUN, numbered([submitted()]), false)
  const other = new Connection(driver, store.file, { busyMs: 0 })
  const end = numbered([ended()], 2)
  other.transaction(() => {
    expect(() => store.journal.append(RUN, end, false)).toThrow(expect.objectContaining({ code: 'store-busy' }))
    expect(store.runs.list().runs).toHaveLength(1)
  })
  store.journal.append(RUN, end, false)
  expect(store.runs.get(RUN)?.state).toBe('completed')
  other.close()
})
