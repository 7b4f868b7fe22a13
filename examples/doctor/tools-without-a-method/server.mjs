import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'tickets', version: '1.0.0' })
const id = z.object({ id: z.string().describe('Ticket number, such as T-7.') })
for (const [name, description] of [
  ['show_ticket', 'One ticket with its whole text and who works on it.'],
  ['assign_ticket', 'Gives one ticket to the person on duty.'],
  ['close_ticket', 'Closes one ticket and mails the customer. It cannot be opened again.'],
])
  server.registerTool(name, { description, inputSchema: id }, async ({ id }) => ({
    content: [{ type: 'text', text: `${name} ${id}` }],
  }))
serveStdio(() => server)
