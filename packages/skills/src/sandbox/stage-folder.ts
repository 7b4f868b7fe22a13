import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder with these folders in it, made for one job. */
export type Stage = { readonly path: string; readonly at: (name: string) => string; remove(): void }

export function stageFolder(...names: readonly string[]): Stage {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-job-')))
  // A job with a user of its own has to get to its folders, which are closed to everybody else.
  if (process.getuid?.() === 0) chmodSync(path, 0o711)
  const at = (name: string): string => join(path, name)
  for (const name of names) mkdirSync(at(name), { mode: 0o700 })
  return Object.freeze({ path, at, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) })
}
