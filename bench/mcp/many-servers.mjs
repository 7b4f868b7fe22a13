// Many servers in one process: `node many-servers.mjs COUNT HANGING TOOLS` prints their addresses. Those that hang take
// a request and never answer. Told anything over IPC, it says when the last list was answered (epoch milliseconds).
import { createServer } from 'node:http'

const [count = 20, hanging = 0, tools = 25] = process.argv.slice(2).map(Number)
let lastAnswer = 0

/** @param {number} server */
const listed = (server) =>
  Array.from({ length: tools }, (_, at) => ({
    name: `tool_${server}_${at}`,
    description: `Does the thing number ${at} of server ${server}, which takes a query and a limit.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What is looked for' },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['query'],
    },
  }))

/** @param {number} at */
function listen(at) {
  const http = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      if (at >= count - hanging) return
      const { id, method } = JSON.parse(body)
      const capabilities = { tools: {} }
      const result =
        method === 'server/discover'
          ? { supportedVersions: ['2026-07-28'], capabilities, resultType: 'complete' }
          : { tools: listed(at), resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }), () => {
        if (method === 'tools/list') lastAnswer = Date.now()
      })
    })
  })
  return new Promise((resolve) => {
    http.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (http.address())
      resolve(`http://127.0.0.1:${port}/mcp`)
    })
  })
}

console.log(JSON.stringify({ urls: await Promise.all(Array.from({ length: count }, (_, at) => listen(at))) }))
process.on('message', () => process.send?.({ lastAnswer }))
