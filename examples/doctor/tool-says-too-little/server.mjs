import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'crm', version: '1.0.0' })
const answer = async () => ({ content: [{ type: /** @type {const} */ ('text'), text: 'Nordwind GmbH' }] })
if (process.argv[2] === 'terse')
  server.registerTool('search', { description: 'Search.', inputSchema: z.object({ q: z.string() }) }, answer)
else
  server.registerTool(
    'search',
    {
      description:
        'Finds customers of the CRM by name or city, newest first, at most 20. Deleted customers are not found.',
      inputSchema: z.object({ q: z.string().describe('Part of a name or a city, in any case.') }),
    },
    answer,
  )
serveStdio(() => server)
