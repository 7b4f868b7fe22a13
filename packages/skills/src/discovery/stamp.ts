import { type Stats, statSync } from 'node:fs'

/** What tells that a file or folder is as it was. */
export type Stamp = {
  readonly changed: number
  readonly size: number
  readonly inode: number
  readonly certain: boolean
}

/** Clocks of file systems tick: what changed just now could change again within the same tick. */
const TICK_MS = 50

/** Undefined where there is nothing that can be seen: no entry, a file in place of a folder above, no right to look. */
export function stampOf(path: string): Stamp | undefined {
  let stat: Stats
  try {
    stat = statSync(path)
  } catch {
    return undefined
  }
  const changed = Math.max(stat.mtimeMs, stat.ctimeMs)
  return { changed, size: stat.size, inode: stat.ino, certain: Date.now() - changed > TICK_MS }
}

export function isUnchanged(before: Stamp | undefined, now: Stamp | undefined): boolean {
  if (before === undefined || now === undefined) return before === now
  return before.certain && before.changed === now.changed && before.size === now.size && before.inode === now.inode
}
