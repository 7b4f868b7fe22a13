import { randomInt } from 'node:crypto'
import { chmodSync, lchownSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SandboxFolder } from './sandbox.js'

/** A range of user numbers that no system gives out. */
const FIRST = 0x6000_0000
const LAST = 0x6fff_ffff

/**
 * A user of the job's own, where the host is root and every folder can be used by such a user: then whatever else
 * fails, the job owns nothing of the host. Undefined where the job has to run as the host's user.
 */
export function ownUser(folders: Iterable<SandboxFolder>): number | undefined {
  if (process.getuid?.() !== 0) return undefined
  const all = [...folders]
  if (!all.every((folder) => folder.staged || isOpenToAll(folder))) return undefined
  if (!all.every(({ path }) => isReachable(path))) return undefined
  const uid = randomInt(FIRST, LAST)
  for (const { path, staged } of all) if (staged) giveTo(uid, path)
  return uid
}

function isOpenToAll({ path, access }: SandboxFolder): boolean {
  return access === 'read' && (modeOf(path) & 0o004) !== 0
}

function isReachable(path: string): boolean {
  for (let above = dirname(path); ; above = dirname(above)) {
    if ((modeOf(above) & 0o001) === 0) return false
    if (above === dirname(above)) return true
  }
}

/** What cannot be looked at, by whatever reason, is open to nobody. */
function modeOf(path: string): number {
  try {
    return statSync(path).mode
  } catch {
    return 0
  }
}

function giveTo(uid: number, path: string): void {
  chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o500)
  lchownSync(path, uid, uid)
  if (!statSync(path).isDirectory()) return
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    lchownSync(join(entry.parentPath, entry.name), uid, uid)
}
