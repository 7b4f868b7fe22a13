import type { JsonObject } from '@tenon/kernel'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { memoryPins } from '../src/catalogue/pins.js'
import { ServerCatalogue } from '../src/catalogue/server-catalogue.js'
import type { McpService } from '../src/server/service.js'
import { connectUpstream } from '../src/supervisor/supervised-upstream.js'
import { served } from './served.js'

afterEach(() => void vi.useRealTimers())

/** Only the clock is set; sockets go on as they do. */
function wait(ms: number): void {
  vi.setSystemTime(Date.now() + ms)
}

/** Counts what it was asked, and answers everybody with their own name. */
function counting(kept: JsonObject): { readonly service: McpService; readonly asked: string[] } {
  const asked: string[] = []
  const service: McpService = {
    info: () => ({ serverInfo: {}, capabilities: { tools: {}, resources: {} } }),
    async request({ method, params, caller: { principal } }) {
      asked.push(`${principal} ${method}`)
      if (method === 'resources/read') return { contents: [{ uri: String(params.uri), text: principal }], ...kept }
      return { tools: [{ name: principal, inputSchema: { type: 'object' } }], ...kept }
    },
    follow: () => ({ changed() {}, stop() {} }),
  }
  return { service, asked }
}

function catalogueOf(url: string, user: string, legacy = false): ServerCatalogue {
  const upstream = connectUpstream({
    name: 'far',
    target: { kind: 'http', url, headers: () => ({ authorization: `Bearer ${user}` }) },
    clientInfo: { name: 'test', version: '1' },
    ...(legacy ? { verdicts: { get: () => 'legacy', set: () => {} } } : {}),
  })
  const catalogue = new ServerCatalogue({ upstream, pins: memoryPins(), trusted: false, diagnose() {} })
  onTestFinished(async () => {
    catalogue.close()
    await upstream.close()
  })
  return catalogue
}

const bearer = { authenticate: (token: string) => ({ principal: token }) }
const names = async (catalogue: ServerCatalogue): Promise<string> => JSON.stringify(await catalogue.list('tools'))
const read = async (catalogue: ServerCatalogue): Promise<string> => JSON.stringify(await catalogue.read('note://me'))

test('a list and a resource are asked for again when their time is over, and not before', async () => {
  const { service, asked } = counting({ ttlMs: 60_000, cacheScope: 'private' })
  const catalogue = catalogueOf(await served(service, { bearer }), 'ann')
  vi.useFakeTimers({ toFake: ['Date'] })
  for (let round = 0; round < 3; round++) {
    await names(catalogue)
    await read(catalogue)
    wait(19_000)
  }
  expect(asked).toEqual(['ann tools/list', 'ann resources/read'])
  wait(4_000)
  await names(catalogue)
  await read(catalogue)
  expect(asked).toHaveLength(4)
})

test.each([
  ['says nothing of time', {}],
  ['gives no time', { ttlMs: 0 }],
])('what a server that %s has told is asked for each time', async (_, kept) => {
  const { service, asked } = counting(kept)
  const catalogue = catalogueOf(await served(service, { bearer }), 'ann')
  for (let round = 0; round < 2; round++) await read(catalogue)
  for (let round = 0; round < 2; round++) await names(catalogue)
  expect(asked).toHaveLength(4)
})

test('no server makes us keep something for longer than a day', async () => {
  const { service, asked } = counting({ ttlMs: 1e12, cacheScope: 'public' })
  const catalogue = catalogueOf(await served(service, { bearer }), 'ann')
  vi.useFakeTimers({ toFake: ['Date'] })
  await read(catalogue)
  wait(86_400_001)
  await read(catalogue)
  expect(asked).toHaveLength(2)
})

test('a legacy server, which knows nothing of it, is asked each time', async () => {
  const { service, asked } = counting({ ttlMs: 60_000 })
  const catalogue = catalogueOf(await served(service, { bearer }), 'ann', true)
  for (let round = 0; round < 2; round++) await read(catalogue)
  expect(asked).toHaveLength(2)
})

test.each(['private', 'public'])('what is kept as %s for one user is not shown to another', async (cacheScope) => {
  const { service, asked } = counting({ ttlMs: 60_000, cacheScope })
  const url = await served(service, { bearer })
  for (const user of ['ann', 'ben']) {
    const catalogue = catalogueOf(url, user)
    expect(await names(catalogue)).toContain(user)
    expect(await read(catalogue)).toContain(user)
  }
  expect(asked).toHaveLength(4)
})
