import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UpstreamTarget } from '../src/upstream/upstream.js'
import { bridgeDoors } from './bridge-doors.js'
import { CLIENTS } from './crossed-clients.js'
import { oldSseServer } from './old-sse-server.js'

const EVERYTHING = fileURLToPath(new URL('../../../conformance/sdk-everything.mjs', import.meta.url))

type Started = { readonly target: UpstreamTarget; stop(): void }

const stdio = (era: string) => async (): Promise<Started> => ({
  target: { kind: 'stdio', command: process.execPath, args: [EVERYTHING, era, 'stdio'] },
  stop: () => undefined,
})

const http = (era: string) => async (): Promise<Started> => {
  const child: ChildProcess = spawn(process.execPath, [EVERYTHING, era], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (data) => resolve((JSON.parse(String(data)) as { url: string }).url))
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  return { target: { kind: 'http', url }, stop: () => void child.kill() }
}

const SERVERS: Readonly<Record<string, () => Promise<Started>>> = {
  'a modern server over stdio': stdio('modern'),
  'a legacy server over stdio': stdio('legacy'),
  'a stateless modern server over HTTP': http('modern'),
  'a legacy server over HTTP with sessions': http('legacy'),
  'a server on the old HTTP+SSE': async () => {
    const { url, close } = await oldSseServer()
    return { target: { kind: 'http', url }, stop: close }
  },
}

describe('a legacy server over HTTP without sessions, which cannot ask', () => {
  let server: Started
  let door: Awaited<ReturnType<typeof bridgeDoors>>
  beforeAll(async () => {
    server = await http('stateless')()
    door = await bridgeDoors(server.target, { get: () => 'legacy', set() {} })
  })
  afterAll(async () => {
    await door?.close()
    server?.stop()
  })

  test.each(Object.entries(CLIENTS))('is used through the bridge by %s', async (_, connect) => {
    const client = await connect(door)
    try {
      expect(await client.names()).toContain('test_simple_text')
      expect(await client.call('test_simple_text', {})).toContain('simple text response')
    } finally {
      await client.close()
    }
  })
})

describe.each(Object.entries(SERVERS))('%s', (_, start) => {
  let server: Started
  let door: Awaited<ReturnType<typeof bridgeDoors>>
  beforeAll(async () => {
    server = await start()
    door = await bridgeDoors(server.target)
  })
  afterAll(async () => {
    await door?.close()
    server?.stop()
  })

  test.each(Object.entries(CLIENTS))('is used, and asks, through the bridge by %s', async (_, connect) => {
    const client = await connect(door)
    try {
      expect(await client.names()).toContain('test_simple_text')
      expect(await client.call('test_simple_text', {})).toContain('simple text response')
      const elicited = await client.call('test_elicitation', { message: 'Which colour?' })
      expect(elicited).toContain('action=accept')
      expect(elicited).toContain('blue')
      expect(await client.call('test_sampling', { prompt: 'ping' })).toContain('LLM response: pong')
    } finally {
      await client.close()
    }
  })
})
