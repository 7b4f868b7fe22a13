import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { McpServerConfig } from '../src/host/server-config.js'
import { hostOf } from './host-call.js'

const STUBBORN = fileURLToPath(new URL('stubborn-server.mjs', import.meta.url))

const stdio = (name: string, ...args: string[]): McpServerConfig => ({
  name,
  target: { kind: 'stdio', command: process.execPath, args },
  limits: { startTimeoutMs: 60_000, probeTimeoutMs: 60_000, closeGraceMs: 50 },
})

/** A modern server with as many tools as are wanted. */
async function serve(tools: number, port = 0): Promise<{ server: Server; port: number; url: string }> {
  const list = Array.from({ length: tools }, (_, index) => ({
    name: `tool-${index}`,
    description: index === 7 ? 'Converts money between currencies.' : `Does thing ${index}.`,
    inputSchema: { type: 'object', properties: { amount: { type: 'number' } } },
  }))
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { id, method } = JSON.parse(body) as { id: number; method: string }
    const result = {
      'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      'tools/list': { tools: list, ttlMs: 60_000 },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    }[method]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const bound = (server.address() as AddressInfo).port
  const stop = (): void => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(stop)
  return { server, port: bound, url: `http://127.0.0.1:${bound}/mcp` }
}

test('servers that hang, die and are not there leave the tools of the others usable', async () => {
  const { url } = await serve(3)
  const host = hostOf([
    stdio('hangs', '-e', 'process.stdin.resume()'),
    stdio('dies', '-e', 'process.exit(1)'),
    { name: 'missing', target: { kind: 'stdio', command: 'there-is-no-such-command' } },
    { name: 'works', target: { kind: 'http', url } },
  ])
  host.start()
  await expect
    .poll(() => host.tools.map(({ name }) => name))
    .toEqual(['works__tool-0', 'works__tool-1', 'works__tool-2'])
  await host.settled(1)
  const states = Object.fromEntries(host.states.map(({ name, state }) => [name, state]))
  expect(states).toMatchObject({ hangs: 'opening', missing: 'failed', works: 'ready' })
})

test('a server that was away at the start is found when it comes', async () => {
  const { server, port, url } = await serve(1)
  await new Promise((resolve) => server.close(resolve))
  const host = hostOf([{ name: 'late', target: { kind: 'http', url } }])
  host.start()
  await expect.poll(() => host.states[0]?.state).toBe('failed')
  await serve(1, port)
  await expect.poll(() => host.tools.length, { timeout: 10_000 }).toBe(1)
})

test('past the budget an agent searches, and what it found is offered from then on', async () => {
  const { url } = await serve(300)
  const host = hostOf([{ name: 'many', target: { kind: 'http', url } }], { toolBudget: 500 })
  await host.settled(10_000)
  expect(host.tools.map(({ name }) => name)).toEqual(['search_tools'])
  const [search] = host.tools
  const before = host.tools
  const result = await search?.run({ query: 'currency conversion of money' }, undefined as never)
  expect(result).toMatchObject({ value: expect.arrayContaining(['many__tool-7']) })
  expect(host.tools).not.toBe(before)
  expect(host.tools.map(({ name }) => name)).toContain('many__tool-7')
})

test('nothing is started for what nobody asks of, and closing ends what was', async () => {
  const host = hostOf([stdio('stubborn', STUBBORN)])
  expect(host.states[0]?.state).toBe('idle')
  const server = host.server('stubborn')
  const { content } = (await server?.upstream.request('tools/call', { name: 'pids', arguments: {} })) ?? {}
  const pids = JSON.parse((content as { text: string }[])[0]?.text ?? '[]') as number[]
  expect(pids).toHaveLength(2)
  await host.close()
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow()
})
