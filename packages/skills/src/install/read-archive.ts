import { ARCHIVE_LIMITS, type ArchiveEntry, ArchiveRefusal } from './archive-entry.js'
import { readTar, readTarGz } from './read-tar.js'
import { readZip } from './read-zip.js'

/** The entries of an archive, told apart by its first bytes and never by its name. @throws ArchiveRefusal */
export function readArchive(archive: Buffer): readonly ArchiveEntry[] {
  if (archive.length > ARCHIVE_LIMITS.archiveBytes)
    throw new ArchiveRefusal('archive-bomb', `It is larger than ${ARCHIVE_LIMITS.archiveBytes >> 20} MiB.`)
  return named(() => entriesOf(archive)).map((entry) => ({ ...entry, bytes: () => named(() => entry.bytes()) }))
}

function entriesOf(archive: Buffer): readonly ArchiveEntry[] {
  if (archive.length >= 4 && archive.readUInt16LE(0) === 0x4b50) return readZip(archive)
  if (archive.length >= 2 && archive.readUInt16BE(0) === 0x1f8b) return readTarGz(archive)
  return readTar(archive)
}

/** A length or an offset that leads out of the archive is a fault of the archive, wherever it is found out. */
function named<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new ArchiveRefusal('archive-broken', 'It is cut off or damaged.')
    throw error
  }
}
