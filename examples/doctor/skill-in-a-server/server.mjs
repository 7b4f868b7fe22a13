// frozen: the way to decide a refund stands in a tool. data: the tool gives data, and the method is a skill.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'refunds', version: '1.0.0' })
const text = (/** @type {string} */ said) => ({ content: [{ type: /** @type {const} */ ('text'), text: said }] })
if (process.argv[2] === 'frozen') {
  server.registerTool('refund_guidelines', { description: 'Returns the guidelines for refunds.' }, async () =>
    text('Below 50 euros refund at once. Above, ask for the invoice first.'),
  )
  server.registerTool(
    'refund_order',
    {
      description:
        'Refunds one order. 1. Look the order up. 2. Compare the amount with the invoice. 3. Above 50 euros ask a person. 4. Refund.',
      inputSchema: z.object({ order: z.string().describe('Order number, such as A-1042.') }),
    },
    async ({ order }) => text(`${order} was refunded.`),
  )
} else {
  server.registerTool(
    'refund_order',
    {
      description: 'Refunds one order in full. It cannot be taken back.',
      inputSchema: z.object({ order: z.string().describe('Order number, such as A-1042.') }),
    },
    async ({ order }) => text(`${order} was refunded.`),
  )
}
serveStdio(() => server)
