import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SeenRequest = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }

/** A real HTTP server on this machine that answers as the test says and keeps what it was asked. */
export type ScriptedServer = AsyncDisposable & { readonly url: string; readonly seen: readonly SeenRequest[] }

export async function scriptedServer(
  answer: (response: ServerResponse, request: SeenRequest, count: number) => void,
  port = 0,
): Promise<ScriptedServer> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') }
      seen.push(one)
      answer(response, one, seen.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Server-sent events of `data:` lines; with an `event:` line where the data has a `type`. */
export function sse(response: ServerResponse, events: readonly object[], end: string = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    if ('type' in event) response.write(`event: ${String(event.type)}\n`)
    response.write(`data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(end)
}
