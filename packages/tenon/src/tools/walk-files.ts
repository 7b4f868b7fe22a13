import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileError } from './file-error.js'
import type { Place, Workspace } from './workspace.js'

export type WalkedEntry = {
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'special'
  /** Of a file. */
  readonly bytes: number
  /** A folder whose inside is not told, and why. */
  readonly closed?: 'skipped' | 'too-deep' | 'denied'
  /** A folder that has more entries than are told. */
  readonly more?: true
}

/** What fills a listing and is never what was looked for. Named outright, such a folder is told like any other. */
const SKIPPED = new Set(['.git', '.hg', '.svn', '.tenon', 'node_modules', '.venv', '__pycache__'])
const MOST_IN_FOLDER = 10_000

/** A folder's entries by name, folders before what is in them. Links are told and never followed. */
export async function* walkFiles(
  workspace: Workspace,
  folder: Place,
  options: { readonly depth: number; readonly signal: AbortSignal },
): AsyncGenerator<WalkedEntry> {
  options.signal.throwIfAborted()
  const { names, more } = await namesOf(workspace, folder)
  for (const name of names) {
    const absolute = join(folder.absolute, name)
    const path = workspace.show(absolute)
    const stats = await lstat(absolute).catch(() => undefined)
    // Gone since the folder was read.
    if (stats === undefined) continue
    if (!stats.isDirectory()) {
      const kind = stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'special'
      yield { path, kind, bytes: kind === 'file' ? stats.size : 0 }
    } else if (SKIPPED.has(name.toLowerCase())) yield { path, kind: 'folder', bytes: 0, closed: 'skipped' }
    else if (options.depth <= 1) yield { path, kind: 'folder', bytes: 0, closed: 'too-deep' }
    else yield* walkInto(workspace, { shown: path, absolute }, options)
  }
  if (more) yield { path: folder.shown, kind: 'folder', bytes: 0, more: true }
}

async function* walkInto(
  workspace: Workspace,
  folder: Place,
  options: { readonly depth: number; readonly signal: AbortSignal },
): AsyncGenerator<WalkedEntry> {
  const inside = walkFiles(workspace, folder, { ...options, depth: options.depth - 1 })
  let first: IteratorResult<WalkedEntry>
  try {
    first = await inside.next()
  } catch (error) {
    options.signal.throwIfAborted()
    if ((error as { code?: unknown }).code === 'path-missing') return
    yield { path: folder.shown, kind: 'folder', bytes: 0, closed: 'denied' }
    return
  }
  yield { path: folder.shown, kind: 'folder', bytes: 0 }
  if (first.done === true) return
  yield first.value
  yield* inside
}

async function namesOf(workspace: Workspace, folder: Place): Promise<{ names: string[]; more: boolean }> {
  try {
    // The folder may have become a link since its parent was read.
    await workspace.confirm(folder.absolute, folder.shown)
    const names: string[] = []
    for await (const entry of await opendir(folder.absolute)) {
      if (names.length === MOST_IN_FOLDER) return { names: names.sort(), more: true }
      names.push(entry.name)
    }
    return { names: names.sort(), more: false }
  } catch (error) {
    throw fileError(error, folder.shown)
  }
}
