// The server behind every proxy: one tool that echoes, on the official SDK. `http` prints its address, else stdio.
import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

function echo() {
  const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }))
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: String(params.arguments?.text) }],
  }))
  return server
}

if (process.argv[2] === 'http') {
  const http = createServer(toNodeHandler(createMcpHandler(echo)))
  http.listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (http.address())
    console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` }))
  })
} else serveStdio(echo)
