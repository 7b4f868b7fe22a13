import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { numbered, submitted } from './run-events.js'
import { StoreProcess } from './store-process.js'
import { openForTest, temporaryFolder } from './temporary-folder.js'

const RUN = RunId('run_1')

test('after SIGKILL in the middle of appends the journal is whole', async () => {
  const dir = temporaryFolder()
  openForTest({ dir }).journal.append(RUN, numbered([submitted()]), false)
  let last = 1
  for (const appends of [1, 40, 400]) {
    const child = new StoreProcess()
    await child.ask('open', { dir })
    child.tell('append-forever', { runId: RUN, from: last + 1 })
    for (let told = 0; told < appends; told++) last = Number(await child.nextLine())
    await child.kill()
    for (let line = await child.nextLine(); line !== undefined; line = await child.nextLine()) last = Number(line)

    const store = openForTest({ dir })
    expect(store.check()).toEqual([])
    const seqs = store.journal.load(RUN).map((event) => event.seq)
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + 1))
    // The last append may have been kept without anybody being told; never half of it, and never the other way round.
    expect([last, last + 2]).toContain(seqs.length)
    last = seqs.length
    store.close()
  }
})

test('what stands in the log alone comes along when file and log are moved', () => {
  const dir = temporaryFolder()
  openForTest({ dir }).journal.append(RUN, numbered([submitted()]), false)
  const moved = temporaryFolder()
  for (const name of ['tenon.db', 'tenon.db-wal']) copyFileSync(join(dir, name), join(moved, name))
  const store = openForTest({ dir: moved })
  expect(store.journal.load(RUN)).toHaveLength(1)
  expect(store.check()).toEqual([])
})

test('what was kept stands in the file alone when the store is closed', () => {
  const dir = temporaryFolder()
  const store = openForTest({ dir })
  store.journal.append(RUN, numbered([submitted()]), false)
  store.close()
  const moved = temporaryFolder()
  copyFileSync(join(dir, 'tenon.db'), join(moved, 'tenon.db'))
  expect(openForTest({ dir: moved }).journal.load(RUN)).toHaveLength(1)
})
