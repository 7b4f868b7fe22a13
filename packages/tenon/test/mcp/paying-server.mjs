// A server whose one tool takes effect each time: it waits for a file and then writes a line into another one.
import { appendFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const [, , gate = '', ledger = ''] = process.argv
const isThere = () =>
  access(gate).then(
    () => true,
    () => false,
  )

serveStdio(() => {
  const server = new McpServer({ name: 'bank', version: '1' }, { capabilities: { tools: {} } })
  const pay = { description: 'Pays.', inputSchema: z.object({ to: z.string() }) }
  server.registerTool('pay', pay, async ({ to }) => {
    while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 20))
    appendFileSync(ledger, `paid ${to}\n`)
    return { content: [{ type: 'text', text: `Paid ${to}.` }] }
  })
  return server
})
