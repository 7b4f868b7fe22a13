// An MCP server that ends on no polite request, and neither does what it started.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
const body = "for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(s, () => {}); setTimeout(() => {}, 30000)"
const child = spawn(process.execPath, ['-e', body], { stdio: 'ignore' })
setTimeout(() => process.exit(0), 30_000)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const answer =
    method === 'initialize'
      ? {
          result: {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          },
        }
      : method === 'tools/call'
        ? { result: { content: [{ type: 'text', text: JSON.stringify([process.pid, child.pid]) }] } }
        : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
