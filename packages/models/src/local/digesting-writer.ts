import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { ModelsError } from '../errors.js'

const TELL_EVERY_MS = 100

/**
 * Writes a stream to a file and returns size and SHA-256 of the whole file. With `after`, that many bytes are already
 * there and are read for the digest first. Every byte that came is in the file, also when the stream breaks.
 *
 * @throws ModelsError `disk-full`; what the source throws goes through.
 */
export async function writeWithDigest(
  source: AsyncIterable<Uint8Array>,
  path: string,
  options: { readonly after?: number; readonly signal?: AbortSignal; readonly onBytes?: (done: number) => void } = {},
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const { after = 0, signal, onBytes } = options
  const hash = createHash('sha256')
  if (after > 0) for await (const chunk of createReadStream(path, { end: after - 1 })) hash.update(chunk as Buffer)
  const file = await open(path, after > 0 ? 'r+' : 'w')
  let bytes = after
  let told = 0
  try {
    for await (const chunk of source) {
      signal?.throwIfAborted()
      hash.update(chunk)
      for (let written = 0; written < chunk.length; )
        written += (await file.write(chunk, written, chunk.length - written, bytes + written)).bytesWritten
      bytes += chunk.length
      const now = Date.now()
      if (now - told < TELL_EVERY_MS) continue
      told = now
      onBytes?.(bytes)
    }
    await file.sync()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new ModelsError('disk-full', 'The disk is full. Make room and try again; what was fetched is kept.', {
        cause,
      })
    throw cause
  } finally {
    await file.close()
  }
  onBytes?.(bytes)
  return { bytes, sha256: hash.digest('hex') }
}
