// An MCP server: a system that does not think, behind tools with schemas. It sees the arguments of a call and nothing of
// the conversation. serveStdio answers clients of both eras of the protocol.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

// In place of a database.
const ORDERS = [
  { id: 'A-1001', customer: 'Nordwind GmbH', status: 'shipped' },
  { id: 'A-1002', customer: '海风贸易', status: 'paid' },
]
const MOST = 20

const makeServer = () => {
  const server = new McpServer({ name: 'sample-joint', version: '1.0.0' })
  server.registerTool(
    'find_orders',
    {
      description: `Finds orders by a part of the customer's name or by status, newest first, at most ${MOST}.`,
      inputSchema: z.object({
        customer: z.string().min(1).optional().describe('A part of the name, in any case.'),
        status: z.enum(['paid', 'shipped', 'returned']).optional().describe('Only orders of this status.'),
      }),
      // Believed where the configuration says `trusted: true`: then it runs without asking, and again after a crash.
      annotations: { readOnlyHint: true },
    },
    async ({ customer = '', status }) => {
      const found = ORDERS.filter(
        (order) =>
          order.customer.toLowerCase().includes(customer.toLowerCase()) &&
          (status === undefined || order.status === status),
      )
      return { content: [{ type: 'text', text: JSON.stringify(found.slice(0, MOST)) }] }
    },
  )
  return server
}

serveStdio(makeServer)
