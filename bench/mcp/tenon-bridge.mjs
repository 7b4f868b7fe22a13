// Our bridge, as the command makes it: `node tenon-bridge.mjs URL` or `node tenon-bridge.mjs COMMAND ARGS…`.
import { createServer } from 'node:http'
import { BridgeService, LOCAL_PRINCIPAL, mcpHttp } from '@tenon/mcp'

const [first = '', ...args] = process.argv.slice(2)
const target = first.startsWith('http')
  ? /** @type {const} */ ({ kind: 'http', url: first })
  : /** @type {const} */ ({ kind: 'stdio', command: first, args })
const service = new BridgeService({
  servers: [{ name: 'echo', target }],
  serverInfo: { name: 'bridge', version: '1' },
  // The command looks for the secrets that it knows in all that passes; here it knows none.
  redact: (text) => text,
})
service.warm(LOCAL_PRINCIPAL)
const endpoint = mcpHttp({ service })
const http = createServer((request, response) => {
  if (!endpoint.handle(request, response)) response.writeHead(404).end()
})
http.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (http.address())
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` }))
})
process.on('message', () => process.send?.({ rss: process.memoryUsage().rss }))
