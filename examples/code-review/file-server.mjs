// An MCP server that shows the files of one folder and nothing outside of it.
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const MOST_FILES = 500
const MOST_CHARACTERS = 100_000
const root = realpathSync(process.argv[2] ?? '.')

/** @param {string} path */
function inside(path) {
  const real = realpathSync(join(root, path))
  if (real !== root && !real.startsWith(root + sep)) throw new Error(`${path} lies outside of the folder`)
  return real
}

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      return statSync(path).isDirectory() ? filesIn(path) : [relative(root, path).split(sep).join('/')]
    })
}

/** @param {string} text */
const answer = (text) => ({ content: [{ type: /** @type {const} */ ('text'), text }] })

const server = new McpServer({ name: 'files', version: '1.0.0' })
server.registerTool(
  'list_files',
  {
    description: `Lists the files of the folder with their paths, ${MOST_FILES} at most.`,
    inputSchema: z.object({}),
    annotations: { readOnlyHint: true },
  },
  async () => answer(filesIn(root).slice(0, MOST_FILES).join('\n')),
)
server.registerTool(
  'read_file',
  {
    description: `Reads a text file of the folder, its first ${MOST_CHARACTERS} characters at most.`,
    inputSchema: z.object({ path: z.string().describe('As list_files shows it.') }),
    annotations: { readOnlyHint: true },
  },
  async ({ path }) => answer(readFileSync(inside(path), 'utf8').slice(0, MOST_CHARACTERS)),
)
await server.connect(new StdioServerTransport())
