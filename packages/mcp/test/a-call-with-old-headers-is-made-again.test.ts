import type { JsonObject } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { BridgeService } from '../src/bridge/bridge-service.js'
import type { McpService } from '../src/server/service.js'
import { called, hostOf } from './host-call.js'
import { modern, replyTo, said, served } from './served.js'

/** A server that wants the region as a header once `change` was called, and tells nobody of it. */
async function moody(always = false): Promise<{ readonly url: string; readonly ran: string[]; change(): void }> {
  const ran: string[] = []
  let marked = false
  const schema = (): JsonObject => ({
    type: 'object',
    properties: { region: { type: 'string', ...(marked ? { 'x-mcp-header': always ? 'Other' : 'Region' } : {}) } },
  })
  const service: McpService = {
    info: () => ({ serverInfo: {}, capabilities: { tools: {} } }),
    async request({ method, params }) {
      if (method === 'tools/list')
        return { tools: [{ name: 'store', inputSchema: always ? { type: 'object' } : schema() }], ttlMs: 60_000 }
      ran.push(String((params.arguments as JsonObject).region))
      return said('stored')
    },
    toolSchema: schema,
    follow: () => ({ changed() {}, stop() {} }),
  }
  const change = (): void => {
    marked = true
  }
  return { url: await served(service), ran, change }
}

const serverAt = (url: string) => ({ name: 'far', target: { kind: 'http' as const, url } })

test('the tool is listed again, and the call made once more with the header', async () => {
  const { url, ran, change } = await moody()
  const codes: string[] = []
  const host = hostOf([serverAt(url)], { onDiagnostic: ({ code }) => codes.push(code) })
  await host.settled(5_000)
  change()
  expect((await called(host, 'store', { region: 'eu' })).text).toBe('stored')
  expect(ran).toEqual(['eu'])
  expect(codes).toEqual(['listed-again'])
})

test('a person is asked first where the definition had been approved as it was', async () => {
  const { url, ran, change } = await moody()
  const host = hostOf([serverAt(url)], { pinAtFirstSight: true })
  await host.settled(5_000)
  change()
  await expect(called(host, 'store', { region: 'eu' }, { answer: false })).rejects.toMatchObject({
    code: 'mcp-definition-changed',
  })
  expect(ran).toEqual([])
  const { wanted, text } = await called(host, 'store', { region: 'eu' })
  expect(wanted).toMatchObject([{ prompt: expect.stringContaining('x-mcp-header') }])
  expect([text, ran]).toEqual(['stored', ['eu']])
})

test('a server that is not content with what it lists is not asked for ever', async () => {
  const { url, ran, change } = await moody(true)
  const host = hostOf([serverAt(url)])
  await host.settled(5_000)
  change()
  await expect(called(host, 'store', { region: 'eu' })).rejects.toMatchObject({
    code: 'mcp-rpc-error',
    detail: { code: -32020 },
  })
  expect(ran).toEqual([])
})

test('through a bridge the same call arrives, though its client knows nothing of the header', async () => {
  const { url, ran, change } = await moody()
  const service = new BridgeService({
    servers: [serverAt(url)],
    serverInfo: { name: 'bridge', version: '1' },
    policy: () => 'allow',
    pins: { load: () => null, save() {} },
  })
  onTestFinished(() => service.close())
  const near = await served({ ...proxied(service) })
  await replyTo(near, modern('tools/list'))
  change()
  const { result, error } = await replyTo(near, modern('tools/call', { name: 'store', arguments: { region: 'eu' } }))
  expect([error, result?.content]).toEqual([undefined, [{ type: 'text', text: 'stored' }]])
  expect(ran).toEqual(['eu'])
})

/** Methods of a class do not come along by spreading. */
const proxied = (service: BridgeService): McpService => ({
  info: (caller) => service.info(caller),
  request: (call) => service.request(call),
  follow: (caller, wanted, onChange) => service.follow(caller, wanted, onChange),
})
