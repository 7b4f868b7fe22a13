// old: asks the client for its roots and sends it log messages. new: takes the folder as an argument, logs to stderr.
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const old = process.argv[2] === 'old'
const server = new McpServer({ name: 'builds', version: '1.0.0' }, { capabilities: old ? { logging: {} } : {} })
server.registerTool(
  'build_status',
  {
    description: 'Whether the last build of one folder passed.',
    inputSchema: z.object({ folder: z.string().describe('The folder, relative to the project.') }),
  },
  async ({ folder }) => ({ content: [{ type: 'text', text: `${folder}: passed` }] }),
)
if (old)
  server.server.oninitialized = async () => {
    const { roots } = await server.server.listRoots()
    await server.server.sendLoggingMessage({ level: 'info', data: `${roots.length} roots` })
  }
else console.error('ready')
await server.connect(new StdioServerTransport())
