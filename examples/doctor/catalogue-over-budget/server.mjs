import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'reports', version: '1.0.0' })
for (const month of ['January', 'February', 'March', 'April', 'May', 'June'])
  server.registerTool(
    `report_${month.toLowerCase()}`,
    {
      description: `The sales report of ${month}: revenue, orders and returns of one region.`,
      inputSchema: z.object({ region: z.enum(['north', 'south', 'east', 'west']).describe('The region.') }),
    },
    async ({ region }) => ({ content: [{ type: 'text', text: `${month}, ${region}: 1200` }] }),
  )
serveStdio(() => server)
