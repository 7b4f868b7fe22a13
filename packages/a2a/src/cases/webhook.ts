import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PushInbox } from '../peer/push-inbox.js'

export type Webhook = {
  readonly url: string
  /** Set by the client process that lives. */
  inbox: PushInbox | undefined
  stop(): Promise<void>
}

/** A real address for a client that has a webhook. */
export async function startWebhook(): Promise<Webhook> {
  const server = createServer((request, response) => {
    const [, run = '', call = ''] = (request.url ?? '').split('/').map(decodeURIComponent)
    const token = request.headers['x-a2a-notification-token']
    request.resume()
    void webhook.inbox
      ?.receive(run, call, typeof token === 'string' ? token : undefined)
      .then((known) => response.writeHead(known ? 204 : 401).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const webhook: Webhook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inbox: undefined,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return webhook
}
