import { createServer } from 'node:http'
import { type AddressInfo, createServer as createPipeServer } from 'node:net'
import { BridgeService } from '../bridge/bridge-service.js'
import type { McpServerConfig } from '../host/server-config.js'
import { mcpHttp } from '../server/http/mcp-http.js'
import { serveStdio } from '../server/stdio/serve-stdio.js'
import type { DiagnosticCode } from '../upstream/diagnostic.js'

/** A bridge with a door for each transport of the near side. */
export type CaseBridge = {
  readonly url: string
  /** Started by a client over stdio: hands its pipes to the one bridge. */
  readonly command: string
  readonly args: readonly string[]
  close(): Promise<void>
}

const RELAY = `
const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1')
process.stdin.pipe(socket).pipe(process.stdout)
socket.on('close', () => process.exit(0))
`

/** `principalOf` says whose a client's token is. */
export async function startCaseBridge(
  servers: readonly McpServerConfig[],
  principalOf: (token: string) => string,
  onDiagnostic: (code: DiagnosticCode) => void,
): Promise<CaseBridge> {
  const service = new BridgeService({
    servers,
    serverInfo: { name: 'tenon-bridge', version: '1' },
    onDiagnostic: ({ code }) => onDiagnostic(code),
  })
  const endpoint = mcpHttp({ service, bearer: { authenticate: (token) => ({ principal: principalOf(token) }) } })
  const http = createServer((request, response) => {
    if (!endpoint.handle(request, response)) response.writeHead(404).end()
  })
  const pipes = createPipeServer((socket) => {
    socket.on('error', () => undefined)
    void serveStdio({ service, stdin: socket, stdout: socket, principal: principalOf('') }).then(() => socket.destroy())
  })
  await Promise.all([http, pipes].map((server) => new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
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
