// Our bridge before a server: `node bridge-before.mjs URL [PORT]` prints its address.
import { createServer } from 'node:http'
import { BridgeService, LOCAL_PRINCIPAL, mcpHttp } from '@tenon/mcp'

const [url = '', port = '0'] = process.argv.slice(2)
const service = new BridgeService({
  servers: [{ name: 'everything', target: { kind: 'http', url } }],
  serverInfo: { name: 'tenon-bridge', version: '1.0.0' },
})
service.warm(LOCAL_PRINCIPAL)
const endpoint = mcpHttp({ service })
const server = createServer((request, response) => {
  if (!endpoint.handle(request, response)) response.writeHead(404).end()
})
server.listen(Number(port), '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(JSON.stringify({ url: `http://localhost:${address.port}/mcp` }))
})
