import type { FileHandle } from 'node:fs/promises'
import type { MaybePromise } from '@tenon/kernel'

/** Bytes that can be read anywhere: of a file, an artifact, or memory. */
export type ByteSource = {
  readonly size: number
  /** `length` bytes from `offset`, fewer at the end. */
  read(offset: number, length: number): MaybePromise<Uint8Array>
}

export const memorySource = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: (offset, length) => bytes.subarray(offset, offset + length),
})

export const fileSource = (handle: FileHandle, size: number): ByteSource => ({
  size,
  async read(offset, length) {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)))
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  },
})
