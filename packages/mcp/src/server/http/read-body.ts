import type { IncomingMessage } from 'node:http'

/** The body, or undefined when it is over the limit; the rest is not read then. Rejects when the client leaves. */
export function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(undefined)
  return new Promise((done, fail) => {
    const parts: Buffer[] = []
    let bytes = 0
    request.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes > limit) {
        request.removeAllListeners('data')
        request.pause()
        done(undefined)
      } else parts.push(part)
    })
    request.on('end', () => done(parts.length === 1 ? String(parts[0]) : Buffer.concat(parts).toString('utf8')))
    request.on('error', fail)
  })
}
