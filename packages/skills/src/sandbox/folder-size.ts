import { lstatSync, opendirSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes that a folder takes on the disk, links not followed; stops counting past `most`. What vanishes counts nothing. */
export function folderSize(folder: string, most: number): number {
  let bytes = 0
  const waiting = [folder]
  for (let here = waiting.pop(); here !== undefined && bytes <= most; here = waiting.pop()) {
    try {
      const listing = opendirSync(here)
      try {
        for (let entry = listing.readSync(); entry !== null && bytes <= most; entry = listing.readSync()) {
          const path = join(here, entry.name)
          const stat = lstatSync(path, { throwIfNoEntry: false })
          if (stat === undefined) continue
          // An empty file takes an inode, and a million of them fill a disk as well.
          bytes += stat.blocks * 512 + INODE
          if (stat.isDirectory()) waiting.push(path)
        }
      } finally {
        listing.closeSync()
      }
    } catch {
      // Gone meanwhile, or closed to us: then it cannot grow in a way that we could measure.
    }
  }
  return bytes
}

const INODE = 256
