import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { Access } from '../../src/access/access.js'
import { A2AEndpoint, type EndpointOptions } from '../../src/server/a2a-endpoint.js'
import { A2ASite } from '../../src/server/a2a-site.js'
import type { TaskService } from '../../src/tasks/task-service.js'

/** Serves an agent at the root of a server of its own, which goes with the test. */
export async function serveService(
  service: TaskService,
  more: Partial<EndpointOptions> = {},
): Promise<{ readonly url: string; readonly host: string; readonly card: string }> {
  const server = createServer(async (request, response) => {
    if (!(await site.serve(request, response))) response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `http://${host}`
  const endpoint = new A2AEndpoint({ service, url, access: new Access([]), ...more })
  const site = new A2ASite({ endpoints: new Map([['', endpoint]]), first: endpoint })
  return { url, host, card: `${url}/.well-known/agent-card.json` }
}
