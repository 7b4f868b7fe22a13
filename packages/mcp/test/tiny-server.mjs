// A legacy server over stdio in as few lines as will do: `node tiny-server.mjs NAME [TOOL…]`. Each tool answers with the
// name, the process and what it was given; `change` gives another description to the first tool; `slow` takes its time.
import { createInterface } from 'node:readline'

const [name = 'tiny', ...names] = process.argv.slice(2)
let described = 'as it was'
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const tools = () =>
  [...names, 'change'].map((tool, at) => ({
    name: tool,
    description: at === 0 ? described : tool,
    inputSchema: { type: 'object' },
  }))

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const capabilities = { tools: { listChanged: true } }
    say({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name, version: '1' } } })
  } else if (method === 'tools/list') say({ id, result: { tools: tools() } })
  else if (method === 'tools/call' && params.name === 'change') {
    described = 'as it is now'
    say({ method: 'notifications/tools/list_changed' })
    say({ id, result: { content: [{ type: 'text', text: 'changed' }] } })
  } else if (method === 'tools/call' && names.includes(params.name)) {
    if (params.name === 'slow') await new Promise((later) => setTimeout(later, 400))
    const told = { name, tool: params.name, pid: process.pid, meta: params._meta ?? {} }
    say({ id, result: { content: [{ type: 'text', text: JSON.stringify(told) }] } })
  } else if (id !== undefined) say({ id, error: { code: -32601, message: `no ${method}` } })
})
