import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../../../test-support/needs.js'
import { connectUpstream } from '../src/supervisor/supervised-upstream.js'
import type { EraName, UpstreamTarget } from '../src/upstream/upstream.js'
import { bridgeDoors } from './bridge-doors.js'
import { CLIENTS } from './crossed-clients.js'

/** Where the public Python SDK is set up; see `.ci/run`. */
const PYTHON = fileURLToPath(new URL('../../../node_modules/.cache/mcp-python/bin/python', import.meta.url))
const SERVER = fileURLToPath(new URL('python-server.py', import.meta.url))
const target = { kind: 'stdio' as const, command: PYTHON, args: [SERVER] }

const present = needs('the Python SDK of MCP', () => existsSync(PYTHON))

test('a server on the Python SDK speaks with our client, and tells of progress', async () => {
  const upstream = connectUpstream({ name: 'python', target, clientInfo: { name: 'test', version: '1' } })
  const told: number[] = []
  try {
    const onProgress = ({ progress }: { progress: number }): void => void told.push(progress)
    const params = { name: 'count', arguments: { to: 3 } }
    expect(JSON.stringify(await upstream.request('tools/call', params, { onProgress }))).toContain('counted')
    expect(told).toEqual([1, 2, 3])
  } finally {
    await upstream.close()
  }
})

type Started = { readonly target: UpstreamTarget; stop(): void }

const pipes = async (): Promise<Started> => ({ target, stop: () => undefined })

const listening = (transport: 'http' | 'sse') => async (): Promise<Started> => {
  const child = spawn(PYTHON, [SERVER, transport], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const { url } = JSON.parse(String(line)) as { url: string }
  return { target: { kind: 'http', url }, stop: () => void child.kill() }
}

/** The server speaks both eras, but for the old transport; which one is taken, the verdict says. */
const WAYS: readonly (readonly [string, EraName, () => Promise<Started>])[] = [
  ['modern, over pipes', 'modern', pipes],
  ['legacy, over pipes', 'legacy', pipes],
  ['modern, over HTTP', 'modern', listening('http')],
  ['legacy, over HTTP with sessions', 'legacy', listening('http')],
  ['legacy, over HTTP+SSE', 'legacy', listening('sse')],
]

describe.each(WAYS)('a server on the Python SDK, %s,', (_, era, start) => {
  let server: Started | undefined
  let door: Awaited<ReturnType<typeof bridgeDoors>> | undefined
  beforeAll(async () => {
    if (!present) return
    server = await start()
    door = await bridgeDoors(server.target, { get: () => era, set: () => undefined })
  })
  afterAll(async () => {
    await door?.close()
    server?.stop()
  })

  test.each(Object.entries(CLIENTS))('is used, and asks, through the bridge by %s', async (_name, connect) => {
    if (door === undefined) throw new Error('there is no bridge')
    const client = await connect(door)
    try {
      expect(await client.names()).toEqual(expect.arrayContaining(['greet', 'ask', 'count']))
      expect(await client.call('greet', { name: 'Ann' })).toContain('Hello, Ann!')
      expect(await client.call('ask', { message: 'Which colour?' })).toContain('the user says blue')
    } finally {
      await client.close()
    }
  })
})
