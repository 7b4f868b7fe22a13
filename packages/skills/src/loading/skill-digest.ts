import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { byteOrder } from './byte-order.js'

const MAX_FILES = 20_000
const MAX_BYTES = 256 * 1024 * 1024

/**
 * The digest of everything in a skill folder: `sha256:` over path and content of each file in byte order, and over where
 * links lead. Undefined where there is more than can be looked at, or something that cannot be read: then nothing can be
 * trusted by it.
 */
export function skillDigest(folder: string): string | undefined {
  try {
    return digestOf(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

function digestOf(folder: string): string | undefined {
  const hash = createHash('sha256')
  let files = 0
  let bytes = 0
  const waiting = ['']
  const found: string[] = []
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory()) {
        if (inside !== '.git') waiting.push(inside)
      } else found.push(inside)
      if (++files > MAX_FILES) return undefined
    }
  for (const inside of found.sort(byteOrder)) {
    const stat = lstatSync(join(folder, inside))
    bytes += stat.size
    if (bytes > MAX_BYTES) return undefined
    const content = createHash('sha256')
      .update(contentOf(join(folder, inside), stat))
      .digest('hex')
    hash.update(`${inside}\0${content}\n`)
  }
  return `sha256:${hash.digest('hex')}`
}

function contentOf(path: string, stat: ReturnType<typeof lstatSync>): Buffer | string {
  if (stat?.isFile()) return readFileSync(path)
  return stat?.isSymbolicLink() ? `link ${readlinkSync(path)}` : 'special'
}
