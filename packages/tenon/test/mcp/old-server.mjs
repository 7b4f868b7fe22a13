// A server of the handshake era over its pipes, made with the official SDK: it asks in the middle of a call by pushing a
// question, and writes down what became of the call.
import { appendFileSync } from 'node:fs'
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const [, , log = ''] = process.argv
const server = new Server({ name: 'old', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler('tools/list', async () => ({
  tools: [{ name: 'order', description: 'Orders something.', inputSchema: { type: 'object' } }],
}))
server.setRequestHandler('tools/call', async (_, context) => {
  appendFileSync(log, 'begun\n')
  context.mcpReq.signal.addEventListener('abort', () => appendFileSync(log, 'cancelled\n'))
  const answer = await server.elicitInput({
    message: 'How many?',
    requestedSchema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
  })
  appendFileSync(log, `${answer.action}\n`)
  return { content: [{ type: 'text', text: `Ordered ${answer.content?.count}.` }] }
})
await server.connect(new StdioServerTransport())
