import { ARCHIVE_LIMITS, type ArchiveEntry, ArchiveRefusal } from './archive-entry.js'
import { readTar, readTarGz } from './read-tar.js'
import { readZip } from './read-zip.js'

/** The entries of an archive, told apart by its first bytes and never by its name. @throws ArchiveRefusal */
export function readArchive(archive: Buffer): readonly ArchiveEntry[] {
  if (archive.length > ARCHIVE_LIMITS.archiveBytes)
    throw new ArchiveRefusal('archive-bomb', `It is larger than ${ARCHIVE_LIMITS.archiveBytes >> 20} MiB.`)
  if (archive.length >= 4 && archive.readUInt16LE(0) === 0x4b50) return readZip(archive)
  if (archive.length >= 2 && archive.readUInt16BE(0) === 0x1f8b) return readTarGz(archive)
  return readTar(archive)
}
