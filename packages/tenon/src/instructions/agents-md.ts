import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ErrorRecord, errorRecord, type FramePart, isTenonError, type Trust } from '@tenon/kernel'
import { HostError } from '../errors.js'
import { fileSource } from '../tools/byte-source.js'
import { fileOrigin } from '../tools/file-origin.js'
import { decodeText, looksBinary } from '../tools/file-text.js'
import { readLineRange } from '../tools/read-line-range.js'
import { readableSize } from '../tools/readable-size.js'
import { Workspace } from '../tools/workspace.js'

export type Instructions = {
  /** From the root of the repository to the working folder: the nearest stands last and wins. */
  readonly parts: readonly FramePart[]
  /** What was cut or left out, for the user to read. Nothing of it stops a run. */
  readonly problems: readonly ErrorRecord[]
}

/** Bytes of one file and of all together that go into the view. */
export const INSTRUCTION_BOUNDS = { file: 32 * 1_024, total: 64 * 1_024 } as const

const NAME = 'AGENTS.md'
const MOST_FOLDERS = 64

/**
 * Reads AGENTS.md from the root of the repository (the nearest folder with `.git`, else the folder itself) down to
 * `folder`. A longer file is cut after a line, whatever its size: no more than the bound is read. Where the total is too much,
 * the files farthest from `folder` are left out. A link is followed only within the root.
 * @param trust of what the files say. They are the project's own, so `vetted` if absent.
 * @throws HostError `path-missing`, `path-kind` when `folder` cannot be used
 */
export async function agentsMd(folder: string, trust: Trust = 'vetted'): Promise<Instructions> {
  const { root: nearest } = new Workspace(folder)
  const workspace = new Workspace(await repositoryRoot(nearest))
  const parts: FramePart[] = []
  const problems: ErrorRecord[] = []
  let left = INSTRUCTION_BOUNDS.total
  for (const path of pathsUp(workspace, nearest)) {
    const found = await readOne(workspace, path, problems)
    if (found === undefined) continue
    if (found.bytes > left) {
      problems.push(told(path, 'is left out: the files nearer to the working folder fill the 64 KB that there are'))
      continue
    }
    left -= found.bytes
    parts.unshift(partOf(path, found.text, trust))
  }
  return Object.freeze({ parts, problems })
}

async function repositoryRoot(folder: string): Promise<string> {
  let at = folder
  for (let depth = 0; depth < MOST_FOLDERS; depth++) {
    if (await isThere(join(at, '.git'))) return at
    const parent = dirname(at)
    if (parent === at) break
    at = parent
  }
  return folder
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Paths of the file in the folders from the nearest up to the root. */
function pathsUp(workspace: Workspace, nearest: string): string[] {
  const paths: string[] = []
  for (let at = nearest; workspace.holds(at); at = dirname(at)) {
    paths.push(workspace.show(join(at, NAME)))
    if (at === workspace.root) break
  }
  return paths
}

async function readOne(
  workspace: Workspace,
  path: string,
  problems: ErrorRecord[],
): Promise<{ readonly text: string; readonly bytes: number } | undefined> {
  try {
    const { handle, stats } = await workspace.openFile(path)
    try {
      const source = fileSource(handle, Number(stats.size))
      if (looksBinary(await source.read(0, 8_192))) throw new HostError('file-not-text', `${path} is not text.`)
      const range = await readLineRange(source, {
        from: 1,
        lines: Number.POSITIVE_INFINITY,
        mostBytes: INSTRUCTION_BOUNDS.file,
        signal: NEVER,
      })
      const text = decodeText(range.bytes, path)
        .replace(/^\uFEFF/, '')
        .trim()
      if (range.more)
        problems.push(
          told(path, `has ${readableSize(source.size)} and is cut after line ${range.to}: 32 KB is the most`),
        )
      return text === '' ? undefined : { text, bytes: range.bytes.length }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!isTenonError(error)) throw error
    if (error.code !== 'path-missing') problems.push(errorRecord(error))
    return undefined
  }
}

const NEVER = new AbortController().signal

const told = (path: string, what: string): ErrorRecord =>
  errorRecord(new HostError('instructions-too-large', `${path} ${what}. Shorten it.`, { detail: { path } }))

const partOf = (path: string, text: string, trust: Trust): FramePart =>
  Object.freeze({
    partId: `instructions:${path}`,
    kind: 'instructions',
    provenance: fileOrigin(path, trust),
    text: `Instructions of the project, from ${path}. Where they contradict what stands above, these hold.\n\n${text}`,
  })
