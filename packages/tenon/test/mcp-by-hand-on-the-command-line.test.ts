import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { COMMAND, place } from './tenon-process.js'

const EVERYTHING = fileURLToPath(new URL('../../../conformance/sdk-everything.mjs', import.meta.url))
const server = (era: string): readonly string[] => [process.execPath, EVERYTHING, era, 'stdio']

test.each(['modern', 'legacy'])('a %s server is looked at: what it speaks and what it has', async (era) => {
  const { code, stdout } = await place().tenon(['mcp', 'inspect', '--', ...server(era)])
  expect(code).toBe(0)
  expect(stdout).toContain(`sdk-everything 1.0.0, ${era}`)
  expect(stdout).toContain('test_simple_text')
  expect(stdout).toContain('test://template/{id}/data')
})

test('a tool is called by hand; what the server asks is declined where nobody is there', async () => {
  const here = place()
  const call = (name: string, args: object) =>
    here.tenon(['mcp', 'inspect', '--call', name, '--args', JSON.stringify(args), '--', ...server('legacy')])
  expect((await call('greet', { name: 'Ann' })).stdout).toBe('Hello, Ann!\n')
  expect((await call('test_elicitation', { message: 'Well?' })).stdout).toContain('action=decline')
  expect((await call('test_error_handling', {})).code).toBe(1)
})

test('a host that goes through a tap and a bridge sees the server, and the tap has it all', async () => {
  const here = place()
  const log = join(here.folder, 'tap.jsonl')
  const tap = [process.execPath, COMMAND, 'mcp', 'tap', '--log', log, '--method', 'tools/*', '--', ...server('legacy')]
  const bridge = [process.execPath, COMMAND, 'mcp', 'bridge', '--audit', 'audit.jsonl', '--', ...tap]
  const { code, stdout } = await here.tenon([
    'mcp',
    'inspect',
    '--call',
    'test_simple_text',
    '--args',
    '{}',
    '--',
    ...bridge,
  ])
  expect(stdout).toContain('simple text response')
  expect(code).toBe(0)
  const entries = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries.map(({ from, method }) => `${from} ${method}`)).toContain('client tools/call')
  expect(entries.every(({ method }) => method.startsWith('tools/'))).toBe(true)
  const audit = readFileSync(join(here.folder, 'audit.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(audit).toMatchObject([{ method: 'tools/call', name: 'test_simple_text', outcome: 'ok', client: 'tenon' }])
})

test('nothing to bridge is told with the way out', async () => {
  const { code, stderr } = await place().tenon(['mcp', 'bridge'])
  expect(code).toBe(2)
  expect(stderr).toContain('--url')
})

test('a server of both eras is spoken to in the one that was asked for', async () => {
  for (const era of ['legacy', 'modern']) {
    const { stdout } = await place().tenon(['mcp', 'inspect', '--era', era, '--', ...server('both')])
    expect(stdout).toContain(`sdk-everything 1.0.0, ${era}`)
  }
  const { code, stderr } = await place().tenon(['mcp', 'inspect', '--era', 'modern', '--', ...server('legacy')])
  expect([code, stderr]).toEqual([1, expect.stringContaining('is set to the era modern and does not speak it')])
})

test('a bridge serves clients of the old HTTP+SSE, where that is switched on', async () => {
  const here = place()
  const bridge = here.start(['mcp', 'bridge', '--http', '0', '--sse', '--', ...server('modern')])
  const [line] = await once(bridge.child.stdout ?? bridge.child, 'data')
  const { url } = JSON.parse(String(line)) as { url: string }
  const args = ['--url', url.replace('/mcp', '/sse'), '--call', 'greet', '--args', '{"name":"Ann"}']
  expect((await here.tenon(['mcp', 'inspect', ...args])).stdout).toBe('Hello, Ann!\n')
  bridge.child.kill('SIGTERM')
  expect((await bridge.ended).code).toBe(0)
})
