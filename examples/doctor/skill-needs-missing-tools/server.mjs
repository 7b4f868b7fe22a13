import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'sales', version: '1.0.0' })
server.registerTool(
  'orders_of_week',
  {
    description: 'All orders of one calendar week with region and amount, at most 500.',
    inputSchema: z.object({
      week: z
        .string()
        .regex(/^\d{4}-W\d\d$/)
        .describe('ISO week, such as 2026-W48.'),
    }),
  },
  async ({ week }) => ({ content: [{ type: 'text', text: `${week}: north 1200, south 800` }] }),
)
serveStdio(() => server)
