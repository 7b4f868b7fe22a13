import { gunzipSync } from 'node:zlib'
import { ARCHIVE_LIMITS, type ArchiveEntry, ArchiveRefusal } from './archive-entry.js'

const BLOCK = 512

/** A gzipped tar. @throws ArchiveRefusal */
export function readTarGz(archive: Buffer): readonly ArchiveEntry[] {
  const limit = Math.min(
    ARCHIVE_LIMITS.unpackedBytes + ARCHIVE_LIMITS.files * BLOCK * 2,
    Math.max(ARCHIVE_LIMITS.ratioFrom, archive.length * ARCHIVE_LIMITS.ratio),
  )
  try {
    return readTar(gunzipSync(archive, { maxOutputLength: limit }))
  } catch (error) {
    if (error instanceof ArchiveRefusal) throw error
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ArchiveRefusal('archive-bomb', `It unpacks to more than ${Math.round(limit / 1024)} KiB.`)
    throw broken('It is cut off or damaged.')
  }
}

type Pax = { path?: string; size?: number }

/** The entries of a tar: ustar, with the long names of pax and GNU. @throws ArchiveRefusal */
export function readTar(archive: Buffer): readonly ArchiveEntry[] {
  const entries: ArchiveEntry[] = []
  let pax: Pax = {}
  let longName: string | undefined
  let ended = false
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) {
      ended = true
      break
    }
    checkSum(header)
    const type = String.fromCharCode(header[156] ?? 0)
    const size = pax.size ?? numberOf(header.subarray(124, 136))
    const start = at + BLOCK
    if (!Number.isSafeInteger(size) || size < 0 || start + size > archive.length) throw broken('An entry is cut off.')
    const content = archive.subarray(start, start + size)
    at = start + Math.ceil(size / BLOCK) * BLOCK
    if (type === 'x') pax = { ...pax, ...paxOf(content) }
    else if (type === 'L') longName = textOf(content)
    else if (type !== 'g' && type !== 'K') {
      entries.push(entryOf(header, type, pax.path ?? longName ?? nameOf(header), content))
      pax = {}
      longName = undefined
      if (entries.length > ARCHIVE_LIMITS.files)
        throw new ArchiveRefusal('archive-bomb', `It has more than ${ARCHIVE_LIMITS.files} entries.`)
    }
  }
  if (!ended) throw broken(entries.length === 0 ? 'It is neither a zip nor a tar archive.' : 'Its end is missing.')
  return entries
}

function entryOf(header: Buffer, type: string, name: string, content: Buffer): ArchiveEntry {
  const kind = kindOf(type, name)
  return {
    name,
    kind,
    size: kind === 'file' ? content.length : 0,
    executable: (numberOf(header.subarray(100, 108)) & 0o111) !== 0,
    bytes: () => content,
  }
}

function kindOf(type: string, name: string): ArchiveEntry['kind'] {
  if (type === '5') return 'folder'
  if (type === '1' || type === '2') return 'link'
  if (type === '0' || type === '\0' || type === '7') return name.endsWith('/') ? 'folder' : 'file'
  return 'special'
}

/** Up to the first NUL: the field is padded with them. */
function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.subarray(0, end < 0 ? bytes.length : end).toString('utf8')
}

function nameOf(header: Buffer): string {
  const name = textOf(header.subarray(0, 100))
  const prefix = textOf(header.subarray(257, 262)) === 'ustar' ? textOf(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Octal text, or base 256 where the first bit is set. */
function numberOf(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) === 0) return Number.parseInt(textOf(field).trim() || '0', 8)
  let value = (field[0] ?? 0) & 0x7f
  for (const byte of field.subarray(1)) value = value * 256 + byte
  return value
}

/** `length key=value\n`, the length counting itself. A value may hold a NUL, so it is not cut there. */
function paxOf(content: Buffer): Pax {
  const found: Pax = {}
  for (let at = 0; at < content.length; ) {
    const blank = content.indexOf(0x20, at)
    const length = Number.parseInt(content.subarray(at, blank).toString('latin1'), 10)
    if (blank < 0 || !(length > 0) || at + length > content.length) throw broken('A pax header is damaged.')
    const record = content.subarray(blank + 1, at + length - 1).toString('utf8')
    const equals = record.indexOf('=')
    const key = record.slice(0, equals)
    if (key === 'path') found.path = record.slice(equals + 1)
    if (key === 'size') found.size = Number.parseInt(record.slice(equals + 1), 10)
    at += length
  }
  return found
}

function checkSum(header: Buffer): void {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte
  if (sum !== numberOf(header.subarray(148, 156)))
    throw broken('A header is damaged, or it is neither a zip nor a tar archive.')
}

const broken = (why: string): ArchiveRefusal => new ArchiveRefusal('archive-broken', why)
