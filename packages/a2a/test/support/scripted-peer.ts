import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { PeerConfig } from '../../src/peer/peer.js'
import type { Delegator } from './delegator.js'

export const WORKING = { id: 'task-1', contextId: 'ctx', status: { state: 'TASK_STATE_WORKING' } }

export type Rpc = { readonly id: string; readonly method: string; readonly params: Record<string, never> }

/** A peer that answers as the test says; `seen` are the operations that reached it. */
export async function hostile(
  operate: (rpc: Rpc, response: ServerResponse) => void,
  card: (host: string) => object = () => ({}),
): Promise<{ readonly peer: PeerConfig; readonly seen: string[] }> {
  const seen: string[] = []
  const listener: RequestListener = async (request, response) => {
    const { host = '' } = request.headers
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          name: 'hostile',
          supportedInterfaces: [{ url: `http://${host}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
          capabilities: { streaming: true },
          ...card(host),
        }),
      )
      return
    }
    let body = ''
    for await (const chunk of request) body += chunk
    const rpc = JSON.parse(body) as Rpc
    seen.push(rpc.method)
    operate(rpc, response)
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seen, peer: { name: 'hostile', url: `http://${host}/card`, allow: [host] } }
}

export function opened(host: Delegator): Delegator {
  onTestFinished(() => host.close())
  return host
}

export const event = ({ id }: Rpc, result: object): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`

export const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })

export const reply = (rpc: Rpc, response: ServerResponse, result: object): void => {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result }))
}
