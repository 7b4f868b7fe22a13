import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { numbered, submitted } from './run-events.js'
import { StoreProcess } from './store-process.js'
import { openForTest, temporaryFolder } from './temporary-folder.js'

const RUN = RunId('run_1')

test('a store is copied while another process writes to it', async () => {
  const dir = temporaryFolder()
  const target = join(temporaryFolder(), 'deeper', 'backup')
  const store = openForTest({ dir })
  store.journal.append(RUN, numbered([submitted()]), false)
  const meta = { name: 'a.txt', mediaType: 'text/plain', runId: RUN }
  const { artifactId } = store.artifacts.put(Buffer.from('hello'), meta)
  const writer = new StoreProcess()
  await writer.ask('open', { dir })
  writer.tell('append-forever', { runId: RUN, from: 2 })
  let before = 0
  for (let told = 0; told < 20; told++) before = Number(await writer.nextLine())
  await store.backup(target)
  await writer.kill()

  const copy = openForTest({ dir: target })
  expect(copy.check()).toEqual([])
  const seqs = copy.journal.load(RUN).map((event) => event.seq)
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + 1))
  expect(seqs.length).toBeGreaterThanOrEqual(before)
  expect(Buffer.from(copy.artifacts.read(artifactId, 0, 5)).toString()).toBe('hello')
  expect(store.journal.load(RUN).length).toBeGreaterThanOrEqual(seqs.length)
})

test('a backup writes over nothing', async () => {
  const store = openForTest({ dir: temporaryFolder() })
  const parent = temporaryFolder()
  const target = join(parent, 'backup')
  mkdirSync(target)
  await store.backup(target)
  await expect(store.backup(target)).rejects.toMatchObject({ code: 'backup-exists' })
  writeFileSync(join(parent, 'file'), 'mine')
  await expect(store.backup(join(parent, 'file'))).rejects.toMatchObject({ code: 'store-failed' })
  expect(readdirSync(parent).sort()).toEqual(['backup', 'file'])
})
