import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'crm', version: '1.0.0' })
server.registerTool(
  'show_customer',
  {
    description: 'One customer of the CRM with address and contact.',
    inputSchema: z.object({ id: z.string().describe('Customer number, such as C-7.') }),
  },
  async ({ id }) => ({ content: [{ type: 'text', text: `${id}: Nordwind GmbH` }] }),
)
serveStdio(() => server)
