import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { connectUpstream } from '../src/supervisor/supervised-upstream.js'
import type { DiagnosticCode } from '../src/upstream/diagnostic.js'
import type { EraName, Upstream } from '../src/upstream/upstream.js'
import { bridgeDoors } from './bridge-doors.js'
import { CLIENTS } from './crossed-clients.js'
import { hostOf } from './host-call.js'

const PUSHING = fileURLToPath(new URL('pushing-server.mjs', import.meta.url))
const TINY = fileURLToPath(new URL('tiny-server.mjs', import.meta.url))
const node = (...args: string[]) => ({ kind: 'stdio' as const, command: process.execPath, args })

function upstreamOf(target: ReturnType<typeof node>, era?: EraName): Upstream {
  const upstream = connectUpstream({
    name: 'shop',
    target,
    clientInfo: { name: 'test', version: '1' },
    capabilities: { elicitation: { form: {} } },
    ...(era === undefined ? {} : { era }),
  })
  onTestFinished(() => upstream.close())
  return upstream
}

const order = (upstream: Upstream, name: string) =>
  upstream.request(
    'tools/call',
    { name, arguments: {} },
    { onServerRequest: async () => ({ action: 'accept', content: { count: 3 } }) },
  )

test.each(['order', 'order-in-words'])(
  '%s asks as before in the modern era: the error names the setting',
  async (tool) => {
    const upstream = upstreamOf(node(PUSHING))
    const codes: DiagnosticCode[] = []
    upstream.on((event) => void (event.kind === 'diagnostic' && codes.push(event.code)))
    const said = await order(upstream, tool).then(JSON.stringify, ({ message }) => message)
    expect(said.replaceAll('\\"', '"')).toContain('Set "era: legacy" for shop.')
    expect(codes).toContain('asks-as-before')
  },
)

test.each(['order', 'order-in-words'])(
  '%s is answered once the server is spoken to in the legacy era',
  async (tool) => {
    const upstream = upstreamOf(node(PUSHING), 'legacy')
    expect(JSON.stringify(await order(upstream, tool))).toContain('accept 3')
    expect(upstream.info?.era).toBe('legacy')
  },
)

test('a server that may be modern only is not spoken to as one of before', async () => {
  await expect(upstreamOf(node(TINY, 'one'), 'modern').open()).rejects.toMatchObject({
    code: 'mcp-version-unsupported',
  })
})

test('what the host is told of the era holds for its servers', async () => {
  const host = hostOf([{ name: 'shop', target: node(PUSHING), era: 'legacy' }])
  await host.settled(10_000)
  expect(host.states[0]?.info?.era).toBe('legacy')
})

test('a modern client is asked through a bridge that speaks the legacy era with the server', async () => {
  const door = await bridgeDoors(node(PUSHING), { get: () => 'legacy', set() {} })
  const client = await CLIENTS['SDK v2, stateless HTTP']?.(door)
  onTestFinished(async () => {
    await client?.close()
    await door.close()
  })
  expect(await client?.call('order', {})).toContain('accept')
})
