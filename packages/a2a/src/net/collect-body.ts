import type { IncomingMessage } from 'node:http'

/** The bytes of a request, at most `mostBytes`: more are refused by what they are said to be, or as they come. */
export async function collectBody(
  request: IncomingMessage,
  mostBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mostBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
