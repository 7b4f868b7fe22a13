import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore, type Store, type StoreOptions } from '../src/index.js'

/** A new folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** A store that is closed with the test. */
export function openForTest(options: StoreOptions): Store {
  const store = openStore(options)
  onTestFinished(() => store.close())
  return store
}
