import { expect, onTestFinished, test } from 'vitest'
import { connectUpstream } from '../src/supervisor/supervised-upstream.js'
import type { DiagnosticCode } from '../src/upstream/diagnostic.js'
import type { Upstream, UpstreamLimits } from '../src/upstream/upstream.js'
import { hostOf } from './host-call.js'

const LIMITS = { closeGraceMs: 50 }
const nodeRunning = (script: string) => ({ kind: 'stdio', command: process.execPath, args: ['-e', script] }) as const

function upstreamOf(script: string, limits: Partial<UpstreamLimits> = {}): Upstream & { codes: DiagnosticCode[] } {
  const upstream = connectUpstream({
    name: 'loud',
    target: nodeRunning(script),
    clientInfo: { name: 'test', version: '1' },
    limits: { ...LIMITS, ...limits },
  })
  onTestFinished(() => upstream.close())
  const codes: DiagnosticCode[] = []
  upstream.on((event) => {
    if (event.kind === 'diagnostic') codes.push(event.code)
  })
  return Object.assign(upstream, { codes })
}

const FOREVER = `setInterval(() => console.log('INFO "still" here'), 1)`
const GREETING = `for (let i = 0; i < 3; i++) console.log('Serving on port 8000'); process.stdin.resume()`
const JSON_LOG = `setInterval(() => console.log(JSON.stringify({ level: 30, msg: 'listening' })), 1)`

/** Writes a banner, then answers as an old server does. */
const BANNER = `
for (let i = 0; i < 60; i++) console.log('  banner ' + i)
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'late', version: '1' } }
  const body = method === 'initialize' ? { result } : { error: { code: -32601, message: 'no' } }
  for (let i = 0; i < 60; i++) console.log('handling ' + method)
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
})`

// Each took two full timeouts, and four starts, to say no more than that it was not ready in time.
test('a program that only ever logs is given up at once, with the first line that it wrote', async () => {
  const began = Date.now()
  await expect(upstreamOf(FOREVER).open()).rejects.toMatchObject({
    code: 'mcp-stdout-noise',
    message: expect.stringMatching(
      /^loud wrote 100 lines on stdout and no message of MCP, first: "INFO \\"still\\" here"\./,
    ),
    traits: { modelVisible: false },
  })
  expect(Date.now() - began).toBeLessThan(10_000)
})

test('a log that is JSON is a log', async () => {
  await expect(upstreamOf(JSON_LOG).open()).rejects.toMatchObject({
    code: 'mcp-stdout-noise',
    message: expect.stringContaining('first: "{\\"level\\":30,\\"msg\\":\\"listening\\"}".'),
  })
})

test('a program that greets and then is silent is given up in half the time of a slow one', async () => {
  await expect(upstreamOf(GREETING, { startTimeoutMs: 600, probeTimeoutMs: 100 }).open()).rejects.toMatchObject({
    code: 'mcp-stdout-noise',
    message: expect.stringMatching(/^loud wrote 3 lines on stdout .*first: "Serving on port 8000"/),
  })
})

test('a banner before a good answer is skipped and told', async () => {
  const upstream = upstreamOf(BANNER.replaceAll('60', '30'))
  await expect(upstream.open()).resolves.toMatchObject({ era: 'legacy' })
  expect(upstream.codes.filter((code) => code === 'stdout-noise').length).toBeGreaterThanOrEqual(60)
})

test('what a server writes once it has spoken is no reason to give it up', async () => {
  const upstream = upstreamOf(BANNER.replace('i < 60', 'i < 10'), { startTimeoutMs: 60_000 })
  await upstream.open()
  for (let call = 0; call < 3; call++)
    await expect(upstream.request('ping')).rejects.toMatchObject({ code: 'mcp-rpc-error' })
  expect(upstream.codes.filter((code) => code === 'stdout-noise').length).toBeGreaterThan(200)
})

test('a host shows the same', async () => {
  const host = hostOf([{ name: 'loud', target: nodeRunning(FOREVER), limits: LIMITS }])
  host.start()
  await expect.poll(() => host.states[0]?.state, { timeout: 10_000 }).toBe('failed')
  expect(host.states[0]?.error).toMatchObject({ code: 'mcp-stdout-noise' })
})
