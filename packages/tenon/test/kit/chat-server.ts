import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** The base URL of a server that answers every chat request with this text, until the test ends; `heard` gets the request. */
export async function chatServer(says: string, heard: (request: unknown) => void = () => undefined): Promise<string> {
  const parts = [
    { choices: [{ index: 0, delta: { content: says }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ]
  const server = createServer(async (request, response) => {
    heard(await json(request))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const part of parts) response.write(`data: ${JSON.stringify({ id: 'c', model: 'large', ...part })}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
