import { statSync } from 'node:fs'

/** What tells that a file or folder is as it was. */
export type Stamp = {
  readonly changed: number
  readonly size: number
  readonly inode: number
  readonly certain: boolean
}

/** Clocks of file systems tick: what changed just now could change again within the same tick. */
const TICK_MS = 50

export function stampOf(path: string): Stamp | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  const changed = Math.max(stat.mtimeMs, stat.ctimeMs)
  return { changed, size: stat.size, inode: stat.ino, certain: Date.now() - changed > TICK_MS }
}

export function isUnchanged(before: Stamp | undefined, now: Stamp | undefined): boolean {
  if (before === undefined || now === undefined) return before === now
  return before.certain && before.changed === now.changed && before.size === now.size && before.inode === now.inode
}
