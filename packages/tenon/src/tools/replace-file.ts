import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, lstat, mkdir, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HostError } from '../errors.js'
import { fileError } from './file-error.js'
import type { Place, Workspace } from './workspace.js'

export type FileVersion = { readonly ino: bigint; readonly size: bigint; readonly mtimeNs: bigint }

/**
 * Puts `bytes` in the place of a file, whole or not at all: they are written beside it, synced, and renamed over it.
 * Folders that are missing are made; the mode and the owner of a file that was there are kept.
 * @param expected refuse unless the file is still this version
 * @returns false when there was no file before
 * @throws HostError `path-…`, `disk-full`, `disk-read-only`, `file-changed`; nothing was changed then
 */
export async function replaceFile(
  workspace: Workspace,
  place: Place,
  bytes: Uint8Array,
  expected?: FileVersion,
): Promise<boolean> {
  try {
    return await replace(workspace, place, bytes, expected)
  } catch (error) {
    throw fileError(error, place.shown)
  }
}

async function replace(
  workspace: Workspace,
  { absolute, shown }: Place,
  bytes: Uint8Array,
  expected: FileVersion | undefined,
): Promise<boolean> {
  if (absolute === workspace.root) throw new HostError('path-kind', 'The path is that of the workspace itself.')
  const folder = dirname(absolute)
  await mkdir(folder, { recursive: true })
  await workspace.confirm(folder, shown)
  const before = await versionOf(absolute)
  if (before !== undefined) {
    if (!before.isFile()) throw new HostError('path-kind', `${JSON.stringify(shown)} is no file.`)
    // Renaming over a file asks nobody whether the file itself may be written.
    await access(absolute, constants.W_OK)
  }
  const beside = join(folder, `.${basename(absolute).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`)
  // O_EXCL: what is there, link or file, is never followed nor overwritten.
  const handle = await open(beside, 'wx', 0o666)
  try {
    await fill(handle, bytes, before, () => workspace.confirmOpen(handle, beside, shown))
    if (expected !== undefined && !isVersion(await versionOf(absolute), expected))
      throw new HostError('file-changed', `${JSON.stringify(shown)} was changed by somebody else. Read it again.`)
    await rename(beside, absolute)
  } catch (error) {
    await unlink(beside).catch(() => undefined)
    throw error
  }
  return before !== undefined
}

async function fill(
  handle: FileHandle,
  bytes: Uint8Array,
  before: Awaited<ReturnType<typeof versionOf>>,
  confirm: () => Promise<void>,
): Promise<void> {
  try {
    await confirm()
    await handle.writeFile(bytes)
    if (before !== undefined) {
      await handle.chmod(Number(before.mode) & 0o7777)
      // Only root may give a file back to its owner; for others it is their own already, or cannot be helped.
      if (process.getuid?.() === 0) await handle.chown(Number(before.uid), Number(before.gid))
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function versionOf(path: string) {
  try {
    return await lstat(path, { bigint: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const isVersion = (now: FileVersion | undefined, then: FileVersion): boolean =>
  now !== undefined && now.ino === then.ino && now.size === then.size && now.mtimeNs === then.mtimeNs
