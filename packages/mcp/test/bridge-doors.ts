import { createServer } from 'node:http'
import { type AddressInfo, createServer as createPipeServer } from 'node:net'
import { BridgeService } from '../src/bridge/bridge-service.js'
import { memoryVerdicts } from '../src/era/verdicts.js'
import { mcpHttp } from '../src/server/http/mcp-http.js'
import { serveStdio } from '../src/server/stdio/serve-stdio.js'
import type { EraVerdicts, UpstreamTarget } from '../src/upstream/upstream.js'
import type { Door } from './crossed-clients.js'

const RELAY = `
const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1')
process.stdin.pipe(socket).pipe(process.stdout)
socket.on('close', () => process.exit(0))
`

/** A bridge before one server, with a door for each transport: a process that is started as a server hands its pipes on. */
export async function bridgeDoors(
  target: UpstreamTarget,
  verdicts: EraVerdicts = memoryVerdicts(),
): Promise<Door & { close(): Promise<void> }> {
  const service = new BridgeService({
    servers: [{ name: 'far', target }],
    serverInfo: { name: 'bridge', version: '1' },
    verdicts,
  })
  const endpoint = mcpHttp({ service, sse: true })
  const http = createServer((request, response) => {
    if (!endpoint.handle(request, response)) response.writeHead(404).end()
  })
  const pipes = createPipeServer((socket) => {
    socket.on('error', () => undefined)
    void serveStdio({ service, stdin: socket, stdout: socket }).then(() => socket.destroy())
  })
  await Promise.all([http, pipes].map((server) => new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    url: `${origin}/mcp`,
    sse: `${origin}/sse`,
    command: process.execPath,
    args: ['-e', RELAY, String((pipes.address() as AddressInfo).port)],
    async close() {
      endpoint.close()
      await service.close()
      http.closeAllConnections()
      await Promise.all([http, pipes].map((server) => new Promise((closed) => server.close(closed))))
    },
  }
}
