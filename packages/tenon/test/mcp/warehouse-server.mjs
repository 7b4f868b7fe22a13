// A server of the modern era over HTTP, made with the official SDK. A count takes a while and is a task of the tasks
// extension; how often one was begun stands in a file, because the test outlives whoever asked.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { z } from 'zod'

const EXTENSION = 'io.modelcontextprotocol/tasks'
const [, , begun = '', gate = ''] = process.argv
const tasks = new Map()
const { existsSync } = await import('node:fs')

const shown = (taskId) => {
  const { createdAt, item } = tasks.get(taskId)
  const done = existsSync(gate)
  return {
    resultType: 'complete',
    taskId,
    status: done ? 'completed' : 'working',
    statusMessage: `counting ${item}`,
    createdAt,
    lastUpdatedAt: new Date().toISOString(),
    ttlMs: 600_000,
    pollIntervalMs: 50,
    ...(done
      ? { result: { resultType: 'complete', content: [{ type: 'text', text: `There are 36 ${item} in stock.` }] } }
      : {}),
  }
}

const make = () => {
  const server = new Server(
    { name: 'warehouse', version: '1' },
    { capabilities: { tools: {}, extensions: { [EXTENSION]: {} } } },
  )
  server.setRequestHandler('tools/list', async () => ({
    tools: [
      {
        name: 'count',
        description: 'Counts an item in the warehouse.',
        inputSchema: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
      },
    ],
  }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const taskId = `task-${tasks.size + 1}`
    tasks.set(taskId, { item: params.arguments.item, createdAt: new Date().toISOString() })
    appendFileSync(begun, `${taskId}\n`)
    const { status, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = shown(taskId)
    return { resultType: 'task', taskId, status, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs }
  })
  const params = z.object({ taskId: z.string() }).loose()
  server.setRequestHandler('tasks/get', { params, result: z.any() }, async ({ taskId }) => shown(taskId))
  server.setRequestHandler('tasks/cancel', { params, result: z.any() }, async () => ({ resultType: 'complete' }))
  return server
}

const http = createServer(toNodeHandler(createMcpHandler(make))).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${http.address().port}/mcp` })}\n`)
})
process.stdin.resume().on('end', () => process.exit(0))
