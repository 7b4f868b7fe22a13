import { deflateRawSync } from 'node:zlib'

export type ZippedFile = { readonly name: string; readonly bytes: Buffer; readonly stored?: boolean }

/** A zip archive in memory. Checksums are left at zero: the reader relies on digests of the whole. */
export function zipArchive(files: readonly ZippedFile[], comment = ''): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, stored } of files) {
    const packed = stored ? bytes : deflateRawSync(bytes)
    const sizes = [packed.length, bytes.length]
    const common = Buffer.concat([u16(20, 0, stored ? 0 : 8, 0, 0), u32(0, ...sizes), u16(name.length)])
    const local = Buffer.concat([u32(0x04034b50), common, u16(4), Buffer.from(name), Buffer.alloc(4), packed])
    directory.push(
      Buffer.concat([u32(0x02014b50), u16(20), common, u16(0, 0, 0, 0), u32(0, offset), Buffer.from(name)]),
    )
    locals.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.concat([
    u32(0x06054b50),
    u16(0, 0, files.length, files.length),
    u32(listed.length, offset),
    u16(comment.length),
    Buffer.from(comment),
  ])
  return Buffer.concat([...locals, listed, end])
}

function u16(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) buffer.writeUInt16LE(value, 2 * index)
  return buffer
}

function u32(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value, 4 * index)
  return buffer
}
