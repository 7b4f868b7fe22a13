import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { BridgeService } from '../src/bridge/bridge-service.js'
import { TaskedService } from '../src/server/tasks/tasked-service.js'
import { modern, type Reply, replyTo, served } from './served.js'

const TINY = fileURLToPath(new URL('tiny-server.mjs', import.meta.url))
const TASKS = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } }

async function bridged(): Promise<string> {
  const target = { kind: 'stdio' as const, command: process.execPath, args: [TINY, 'one', 'who', 'slow'] }
  const service = new BridgeService({
    servers: [{ name: 'one', target }],
    serverInfo: { name: 'bridge', version: '1' },
  })
  onTestFinished(() => service.close())
  return served(new TaskedService(service, { mode: () => 'offered', graceMs: 200, innerTasks: true }), {
    bearer: { authenticate: (token) => ({ principal: token }) },
  })
}

const ask = (url: string, method: string, params: JsonObject, user = 'ann', meta: JsonObject = TASKS): Promise<Reply> =>
  replyTo(url, modern(method, { ...params, _meta: meta }, { authorization: `Bearer ${user}` }))

test('a call of a server that knows no tasks is followed as one by a client that does', async () => {
  const url = await bridged()
  expect((await ask(url, 'tools/call', { name: 'who' })).result?.resultType).toBe('complete')
  const { result: created = {} } = await ask(url, 'tools/call', { name: 'slow' })
  expect(created).toMatchObject({ resultType: 'task', status: 'working' })
  const { taskId = '' } = created
  let task: JsonObject = {}
  while (task.status !== 'completed') task = (await ask(url, 'tasks/get', { taskId })).result ?? {}
  expect(JSON.stringify(task.result)).toContain('slow')
  expect((await ask(url, 'tasks/get', { taskId }, 'ben')).error?.code).toBe(-32602)
})

test('a client that follows no tasks waits for the same call', async () => {
  const url = await bridged()
  const meta = { 'io.modelcontextprotocol/clientCapabilities': {} }
  expect((await ask(url, 'tools/call', { name: 'slow' }, 'ann', meta)).result).toMatchObject({ resultType: 'complete' })
})

test('a task that is cancelled is stopped at the server and stays cancelled', async () => {
  const url = await bridged()
  const { taskId = '' } = (await ask(url, 'tools/call', { name: 'slow' })).result ?? {}
  expect((await ask(url, 'tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' })
  expect((await ask(url, 'tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' })
})
