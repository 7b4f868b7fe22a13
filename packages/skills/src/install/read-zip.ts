import { crc32, inflateRawSync } from 'node:zlib'
import { ARCHIVE_LIMITS, type ArchiveEntry, ArchiveRefusal } from './archive-entry.js'

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22

/**
 * The entries of a zip, from its central directory (APPNOTE 6.3.10, sections 4.3.12 and 4.3.16). Each local header must
 * name the same entry, so that no two readers can see two archives in one.
 * @throws ArchiveRefusal
 */
export function readZip(archive: Buffer): readonly ArchiveEntry[] {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  if (count === 0xffff || at === 0xffffffff) throw new ArchiveRefusal('archive-bomb', 'It is a zip64 archive.')
  const entries: ArchiveEntry[] = []
  for (let index = 0; index < count; index++) {
    if (index >= ARCHIVE_LIMITS.files)
      throw new ArchiveRefusal('archive-bomb', `It has ${count} entries; ${ARCHIVE_LIMITS.files} are allowed.`)
    if (at + 46 > end || archive.readUInt32LE(at) !== CENTRAL) throw broken('Its directory is damaged.')
    const nameBytes = archive.readUInt16LE(at + 28)
    const skipped = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
    entries.push(entryAt(archive, at, archive.subarray(at + 46, at + 46 + nameBytes)))
    at += 46 + nameBytes + skipped
  }
  return entries
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - 0xffff)
  for (let at = archive.length - END_BYTES; at >= first; at--)
    if (archive.readUInt32LE(at) === END && at + END_BYTES + archive.readUInt16LE(at + 20) <= archive.length) return at
  throw broken('It has no end record: it was cut off, or it is no zip.')
}

function entryAt(archive: Buffer, at: number, nameBytes: Buffer): ArchiveEntry {
  const name = nameBytes.toString('utf8')
  const made = archive.readUInt16LE(at + 4) >> 8
  const flags = archive.readUInt16LE(at + 8)
  const method = archive.readUInt16LE(at + 10)
  const crc = archive.readUInt32LE(at + 16)
  const packed = archive.readUInt32LE(at + 20)
  const size = archive.readUInt32LE(at + 24)
  const mode = made === UNIX || made === MACOS ? archive.readUInt32LE(at + 38) >>> 16 : 0
  const local = archive.readUInt32LE(at + 42)
  if (size === 0xffffffff || packed === 0xffffffff)
    throw new ArchiveRefusal('archive-bomb', `${name} has a zip64 size.`)
  if (size > ARCHIVE_LIMITS.ratioFrom && size > packed * ARCHIVE_LIMITS.ratio)
    throw new ArchiveRefusal(
      'archive-bomb',
      `${name} unpacks to ${Math.round(size / Math.max(1, packed))} times its size.`,
    )
  return {
    name,
    kind: kindOf(mode, name),
    size,
    executable: (mode & 0o111) !== 0,
    bytes: () => unpack(archive, { name, nameBytes, local, packed, size, crc, method, flags }),
  }
}

const UNIX = 3
const MACOS = 19

function kindOf(mode: number, name: string): ArchiveEntry['kind'] {
  switch (mode & 0o170000) {
    case 0o120000:
      return 'link'
    case 0o040000:
      return 'folder'
    case 0:
    case 0o100000:
      return name.endsWith('/') ? 'folder' : 'file'
    default:
      return 'special'
  }
}

type Stated = {
  readonly name: string
  readonly nameBytes: Buffer
  readonly local: number
  readonly packed: number
  readonly size: number
  readonly crc: number
  readonly method: number
  readonly flags: number
}

function unpack(archive: Buffer, stated: Stated): Buffer {
  const { name, nameBytes, local, packed, size, crc, method, flags } = stated
  if ((flags & 1) !== 0) throw broken(`${name} is encrypted.`)
  if (local + 30 > archive.length || archive.readUInt32LE(local) !== LOCAL)
    throw broken(`${name} is not where it should be.`)
  const nameEnd = local + 30 + archive.readUInt16LE(local + 26)
  if (!archive.subarray(local + 30, nameEnd).equals(nameBytes)) throw broken(`${name} has two names.`)
  const start = nameEnd + archive.readUInt16LE(local + 28)
  if (start + packed > archive.length) throw broken(`${name} is cut off.`)
  const raw = archive.subarray(start, start + packed)
  const bytes = method === 0 ? raw : method === 8 ? inflate(raw, size, name) : undefined
  if (bytes === undefined) throw broken(`${name} is packed in a way that is not known (${method}).`)
  if (bytes.length !== size || checksum(bytes) !== crc) throw broken(`${name} is damaged.`)
  return bytes
}

function inflate(raw: Buffer, size: number, name: string): Buffer {
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ArchiveRefusal('archive-bomb', `${name} unpacks to more than it says.`)
    throw broken(`${name} is damaged.`)
  }
}

/** Node 20.15 and later have it built in. */
const checksum = (bytes: Buffer): number => crc32(bytes)

const broken = (why: string): ArchiveRefusal => new ArchiveRefusal('archive-broken', why)
