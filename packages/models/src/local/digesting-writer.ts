import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ModelsError } from '../errors.js'

const TELL_EVERY_MS = 100

/**
 * Writes a stream to a file and returns size and SHA-256 of the whole file. With `after`, that many bytes are already
 * there and are read for the digest first.
 *
 * @throws ModelsError `disk-full`; what the source throws goes through.
 */
export async function writeWithDigest(
  source: NodeJS.ReadableStream,
  path: string,
  options: { readonly after?: number; readonly signal?: AbortSignal; readonly onBytes?: (done: number) => void } = {},
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const { after = 0, signal, onBytes } = options
  const hash = createHash('sha256')
  if (after > 0) for await (const chunk of createReadStream(path, { end: after - 1 })) hash.update(chunk as Buffer)
  let bytes = after
  let told = 0
  const count = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk)
      bytes += chunk.length
      const now = Date.now()
      if (now - told >= TELL_EVERY_MS) {
        told = now
        onBytes?.(bytes)
      }
      next(null, chunk)
    },
  })
  try {
    await pipeline(source, count, createWriteStream(path, after > 0 ? { flags: 'r+', start: after } : {}), { signal })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new ModelsError('disk-full', 'The disk is full. Make room and try again; what was fetched is kept.', {
        cause,
      })
    throw cause
  }
  onBytes?.(bytes)
  return { bytes, sha256: hash.digest('hex') }
}
