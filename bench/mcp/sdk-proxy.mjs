// The plain SDK as a proxy: `node sdk-proxy.mjs URL` or `node sdk-proxy.mjs COMMAND ARGS…` prints its address.
import { createServer } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'

const [first = '', ...args] = process.argv.slice(2)
const upstream = new Client({ name: 'proxy', version: '1' }, { versionNegotiation: { mode: 'auto' } })
await upstream.connect(
  first.startsWith('http')
    ? new StreamableHTTPClientTransport(new URL(first))
    : new StdioClientTransport({ command: first, args }),
)
const tools = await upstream.listTools()
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'proxy', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => tools)
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    upstream.callTool(params, { signal: mcpReq.signal }),
  )
  return server
})
const http = createServer(toNodeHandler(handler))
http.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (http.address())
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` }))
})
