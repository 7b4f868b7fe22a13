import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PEER_ERRORS } from '../src/peer/peer-error.js'
import { type Delegator, delegator } from './support/delegator.js'

/** Numbers that look random and are the same at each run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const status = (state: string) => ({
  state,
  message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'words' }] },
})
const TASK = {
  id: 'task-1',
  contextId: 'ctx',
  status: status('TASK_STATE_WORKING'),
  artifacts: [{ artifactId: 'a', name: 'a', parts: [{ text: 'one' }, { data: { n: 1 } }, { raw: 'AAAA' }] }],
  history: [{ messageId: 'h', role: 'ROLE_AGENT', parts: [{ text: 'said' }] }],
}
const EVENTS = [
  { task: TASK },
  { statusUpdate: { taskId: 'task-1', contextId: 'ctx', status: status('TASK_STATE_WORKING') } },
  { artifactUpdate: { taskId: 'task-1', contextId: 'ctx', artifact: TASK.artifacts[0], append: true } },
  { statusUpdate: { taskId: 'task-1', contextId: 'ctx', status: status('TASK_STATE_COMPLETED') } },
]

const ODD = [null, 0, -1, '', 'x', [], {}, [null], true, { text: 1 }, 1e308, '\u202e', 'TASK_STATE_UNSPECIFIED']

/** One value somewhere inside becomes an odd one, or goes. */
function damaged(value: unknown, random: () => number): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.1) return ODD[Math.floor(random() * ODD.length)]
  const keys = Object.keys(value)
  const key = keys[Math.floor(random() * keys.length)]
  if (key === undefined) return ODD[0]
  const copy = structuredClone(value) as Record<string, unknown>
  if (random() < 0.2) delete copy[key]
  else copy[key] = damaged(copy[key], random)
  return copy
}

const SEEDS = 150
let host: Delegator
let close: () => void
let now = 0

beforeAll(async () => {
  const server = createServer((request, response) => {
    const { host: here } = request.headers
    if (request.method === 'GET') {
      response.end(
        JSON.stringify({
          name: 'broken',
          supportedInterfaces: [{ url: `http://${here}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
          capabilities: { streaming: true },
        }),
      )
      return
    }
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id: string; method: string }
      const random = numbers(now)
      const result = (value: unknown) => ({ jsonrpc: '2.0', id, result: value })
      if (method === 'CancelTask')
        response.end(JSON.stringify(result({ ...TASK, status: status('TASK_STATE_CANCELED') })))
      else if (method !== 'SendStreamingMessage')
        response.end(
          JSON.stringify(
            random() < 0.5
              ? damaged(result(TASK), random)
              : result({ ...TASK, status: status('TASK_STATE_COMPLETED') }),
          ),
        )
      else {
        response.writeHead(200, { 'content-type': random() < 0.9 ? 'text/event-stream' : 'application/json' })
        for (const each of EVENTS) {
          const said = JSON.stringify(random() < 0.5 ? damaged(result(each), random) : result(each))
          response.write(random() < 0.9 ? `data: ${said}\n\n` : said.slice(0, Math.floor(random() * said.length)))
        }
        if (random() < 0.2) response.destroy()
        else response.end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const limits = { firstPollMs: 1, longestPollMs: 2, awayMs: 20, totalMs: 400 }
  host = delegator({ name: 'broken', url: `http://${address}/card`, allow: [address], limits })
  close = () => {
    server.closeAllConnections()
    server.close()
  }
})
afterAll(async () => {
  await host.close()
  close()
})

test(`${SEEDS} damaged conversations each end in a result, a question, or an error of the table`, async () => {
  const known = new Set(Object.keys(PEER_ERRORS))
  const ends = new Map<string, number>()
  for (now = 1; now <= SEEDS; now++) {
    const runId = await host.start('work')
    const run = await host.engine.drive(runId)
    const { outcome, error } = await host.call(runId)
    const end = outcome ?? run.state
    ends.set(end, (ends.get(end) ?? 0) + 1)
    if (error !== undefined) expect(known, `seed ${now}: ${error.code} ${error.message}`).toContain(error.code)
    else expect(['finished', 'input-required', 'auth-required'], `seed ${now}`).toContain(end)
  }
  expect(ends.get('finished')).toBeGreaterThan(SEEDS / 4)
})
