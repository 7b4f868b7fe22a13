import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { extname, join } from 'node:path'

type OutputFile = { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array }

export type Collected = {
  readonly files: readonly OutputFile[]
  /** What was left where it is, and why, in words. */
  readonly skipped: readonly string[]
}

const MOST_FILES = 64
const MOST_BYTES = 64 * 1024 * 1024
const MOST_DEPTH = 8

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.zip': 'application/zip',
}

const mediaTypeOf = (name: string): string => MEDIA_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream'

/**
 * The regular files that a job left in its folder, in byte order of their names. Links are never followed, so a link
 * that a script planted shows nothing of the host; files with several names are left, because one may lie elsewhere.
 * To be called when no process of the job is alive.
 *
 * @param except names that were put there before the job, with their content
 */
export function collectOutputs(folder: string, except: ReadonlyMap<string, Uint8Array> = new Map()): Collected {
  const files: OutputFile[] = []
  const skipped: string[] = []
  let bytes = 0
  for (const { name, kind } of walk(folder, '', 0)) {
    if (kind !== 'file') {
      skipped.push(`${name} is ${kind}`)
      continue
    }
    if (files.length >= MOST_FILES) {
      skipped.push(`${name} and what follows: more than ${MOST_FILES} files`)
      break
    }
    const content = readWhole(join(folder, name), MOST_BYTES - bytes)
    if (typeof content === 'string') {
      skipped.push(`${name} ${content}`)
      continue
    }
    const before = except.get(name)
    if (before !== undefined && Buffer.compare(before, content) === 0) continue
    bytes += content.length
    files.push({ name, mediaType: mediaTypeOf(name), bytes: content })
  }
  return { files, skipped }
}

function* walk(folder: string, path: string, depth: number): Generator<{ name: string; kind: string }> {
  const entries = readdirSync(join(folder, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const name = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isSymbolicLink()) yield { name, kind: 'a link' }
    else if (entry.isFile()) yield { name, kind: 'file' }
    else if (!entry.isDirectory()) yield { name, kind: 'no regular file' }
    else if (depth >= MOST_DEPTH) yield { name, kind: 'too deep' }
    else yield* walk(folder, name, depth + 1)
  }
}

function readWhole(path: string, most: number): Uint8Array | string {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return 'cannot be read'
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return 'is no regular file'
    if (stat.nlink > 1) return 'has a second name'
    if (stat.size > most) return `has ${stat.size} bytes, more than is taken`
    const bytes = new Uint8Array(stat.size)
    let read = 0
    while (read < bytes.length) {
      const count = readSync(fd, bytes, read, bytes.length - read, read)
      if (count === 0) break
      read += count
    }
    return bytes.subarray(0, read)
  } finally {
    closeSync(fd)
  }
}
