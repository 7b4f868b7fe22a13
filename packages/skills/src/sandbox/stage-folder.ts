import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder with these folders in it, made for one job. */
export type Stage = { readonly path: string; readonly at: (name: string) => string; remove(): void }

export function stageFolder(...names: readonly string[]): Stage {
  sweep()
  const path = realpathSync(mkdtempSync(join(tmpdir(), PREFIX)))
  // A job with a user of its own has to get to its folders, which are closed to everybody else.
  if (process.getuid?.() === 0) chmodSync(path, 0o711)
  const at = (name: string): string => join(path, name)
  for (const name of names) mkdirSync(at(name), { mode: 0o700 })
  return Object.freeze({ path, at, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) })
}

const PREFIX = 'tenon-job-'
const DAY_MS = 86_400_000

let swept = false

/** Takes away what processes that were killed left behind, once. A day is longer than any job. */
function sweep(): void {
  if (swept) return
  swept = true
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(tmpdir(), name)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isDirectory() && stat.uid === process.getuid?.() && Date.now() - stat.mtimeMs > DAY_MS)
      rmSync(path, { recursive: true, force: true })
  }
}
