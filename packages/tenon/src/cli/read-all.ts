import { HostError } from '../errors.js'

const MAX_BYTES = 4 * 1024 * 1024

/** All of a stream as text. @throws HostError `file-too-large`, `file-not-text` */
export async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of stream as AsyncIterable<Buffer | string>) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    length += bytes.length
    if (length > MAX_BYTES)
      throw new HostError(
        'file-too-large',
        `Standard input has more than ${MAX_BYTES} bytes. Put it into a file and name the file.`,
      )
    pieces.push(bytes)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
  } catch (cause) {
    throw new HostError('file-not-text', 'Standard input is not UTF-8 text.', { cause })
  }
}
