import { constants, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readInside } from '../loading/skill-files.js'
import { ARCHIVE_LIMITS, type ArchiveEntry, ArchiveRefusal } from './archive-entry.js'

/** A folder on this disk as if it were an archive, so that the same checks hold for it. */
export function folderEntries(folder: string): readonly ArchiveEntry[] {
  const entries: ArchiveEntry[] = []
  const waiting = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
    for (const name of readdirSync(join(folder, path)).sort()) {
      const inside = path === '' ? name : `${path}/${name}`
      if (name === '.git' || name === 'node_modules') continue
      const stat = lstatSync(join(folder, inside))
      if (stat.isDirectory()) {
        waiting.push(inside)
        continue
      }
      entries.push({
        name: inside,
        kind: stat.isFile() ? 'file' : stat.isSymbolicLink() ? 'link' : 'special',
        size: stat.isFile() ? stat.size : 0,
        executable: (stat.mode & constants.S_IXUSR) !== 0,
        bytes: () => bytesOf(folder, inside, stat.size),
      })
      if (entries.length > MAX_LOOKED_AT) throw new ArchiveRefusal('archive-bomb', `${folder} has too many files.`)
    }
  return entries
}

/** A repository may hold many skills; each of them is bounded by itself afterwards. */
const MAX_LOOKED_AT = ARCHIVE_LIMITS.files * 50

function bytesOf(folder: string, inside: string, size: number): Buffer {
  const read = readInside(folder, inside, size)
  if (read.kind !== 'read' || read.bytes.length !== size)
    throw new ArchiveRefusal('archive-broken', `${inside} changed while it was read.`)
  return read.bytes
}
