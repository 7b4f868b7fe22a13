// Ends before it speaks when it is told to, as a server with a wrong setting does.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

if (process.argv[2] === 'broken') {
  console.error('DATABASE_URL is not set')
  process.exit(1)
}
const server = new McpServer({ name: 'orders', version: '1.0.0' })
server.registerTool(
  'order_status',
  {
    description: 'The status of one order of the web shop.',
    inputSchema: z.object({ id: z.string().describe('Order number, such as A-1042.') }),
  },
  async ({ id }) => ({ content: [{ type: 'text', text: `${id} is on its way.` }] }),
)
serveStdio(() => server)
