import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { ModelsError } from '../errors.js'

/** A file inside a zip archive (PKWARE APPNOTE 6.3, with zip64). */
export type ZipEntry = {
  readonly name: string
  /** Bytes when unpacked. */
  readonly bytes: number
  readonly packedBytes: number
  readonly offset: number
  readonly method: 'stored' | 'deflated'
}

const END = 0x06054b50
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const FULL32 = 0xffffffff
const LONGEST_DIRECTORY = 64 * 1024 * 1024

const invalid = (why: string): ModelsError =>
  new ModelsError('local-model-invalid', `The archive cannot be read: ${why}.`)

/** The files in an archive. @throws ModelsError `local-model-invalid` */
export async function listZip(path: string): Promise<readonly ZipEntry[]> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { offset, length } = await findDirectory(file, size)
    if (length > LONGEST_DIRECTORY || offset + length > size) throw invalid('its directory is garbled')
    return readDirectory(await readAt(file, offset, length))
  } finally {
    await file.close()
  }
}

/** Unpacks one file as a stream; nothing is held in memory. */
export async function openZipEntry(path: string, entry: ZipEntry): Promise<Readable> {
  const file = await open(path)
  try {
    const header = await readAt(file, entry.offset, 30)
    if (header.readUInt32LE() !== LOCAL) throw invalid(`${entry.name} is not where its directory says`)
    // The lengths of name and extra field may differ from those in the directory.
    const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
    const packed = file.createReadStream({ start, end: start + entry.packedBytes - 1 })
    if (entry.method === 'stored') return packed
    const inflate = createInflateRaw()
    packed.once('error', (error) => inflate.destroy(error))
    inflate.once('close', () => packed.destroy())
    return packed.pipe(inflate)
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  if (bytesRead < length) throw invalid('it ends too early')
  return buffer
}

/** The end record stands before a comment of at most 65,535 bytes. */
async function findDirectory(
  file: FileHandle,
  size: number,
): Promise<{ readonly offset: number; readonly length: number }> {
  const tail = await readAt(file, Math.max(0, size - 65_557), Math.min(size, 65_557))
  const end = findBackwards(tail, END)
  if (end < 0) throw invalid('it is no zip archive, or it is cut off')
  const length = tail.readUInt32LE(end + 12)
  const offset = tail.readUInt32LE(end + 16)
  if (offset !== FULL32 && length !== FULL32) return { offset, length }
  if (end < 20 || tail.readUInt32LE(end - 20) !== LOCATOR64) throw invalid('its large-file directory is missing')
  const record = await readAt(file, Number(tail.readBigUInt64LE(end - 12)), 56)
  if (record.readUInt32LE() !== END64) throw invalid('its large-file directory is garbled')
  return { length: Number(record.readBigUInt64LE(40)), offset: Number(record.readBigUInt64LE(48)) }
}

function findBackwards(buffer: Buffer, signature: number): number {
  for (let at = buffer.length - 22; at >= 0; at--) if (buffer.readUInt32LE(at) === signature) return at
  return -1
}

function readDirectory(directory: Buffer): readonly ZipEntry[] {
  const entries: ZipEntry[] = []
  for (let at = 0; at + 46 <= directory.length; ) {
    if (directory.readUInt32LE(at) !== CENTRAL) break
    const flags = directory.readUInt16LE(at + 8)
    const method = directory.readUInt16LE(at + 10)
    const nameLength = directory.readUInt16LE(at + 28)
    const extraLength = directory.readUInt16LE(at + 30)
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength)
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)
    const sizes = largeSizes(extra, [
      directory.readUInt32LE(at + 24),
      directory.readUInt32LE(at + 20),
      directory.readUInt32LE(at + 42),
    ])
    const usable = (method === 0 || method === 8) && (flags & 1) === 0 && !name.endsWith('/')
    if (usable)
      entries.push({
        name,
        bytes: sizes[0],
        packedBytes: sizes[1],
        offset: sizes[2],
        method: method === 0 ? 'stored' : 'deflated',
      })
    at += 46 + nameLength + extraLength + directory.readUInt16LE(at + 32)
  }
  return entries
}

type Sizes = readonly [bytes: number, packed: number, offset: number]

/** Where a 32-bit field is full, the value stands in the zip64 extra field, in this order. */
function largeSizes(extra: Buffer, sizes: Sizes): Sizes {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === 1) {
      let next = at + 4
      const large = sizes.map((size) => {
        if (size !== FULL32 || next + 8 > at + 4 + length) return size
        next += 8
        return Number(extra.readBigUInt64LE(next - 8))
      })
      return [large[0] ?? 0, large[1] ?? 0, large[2] ?? 0]
    }
    at += 4 + length
  }
  return sizes
}
