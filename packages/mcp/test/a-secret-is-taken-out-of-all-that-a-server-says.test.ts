import type { JsonObject } from '@tenon/kernel'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BridgeService } from '../src/bridge/bridge-service.js'
import { rpcError } from '../src/errors.js'
import type { McpService, ServedCall } from '../src/server/service.js'
import { connectUpstream } from '../src/supervisor/supervised-upstream.js'
import type { EraName, Upstream } from '../src/upstream/upstream.js'
import { verdictsOf } from './host-call.js'
import { modern, replyTo, said, served } from './served.js'

const SECRET = 'word-of-ours-1234'
const redact = (text: string): string => text.replaceAll(SECRET, '[secret]')

function echoing(answer: (call: ServedCall) => Promise<JsonObject>): McpService {
  return {
    info: () => ({
      serverInfo: { name: SECRET, version: '1' },
      capabilities: { tools: {}, logging: {} },
      instructions: `Say ${SECRET}.`,
    }),
    request: answer,
    follow: () => ({ changed() {}, stop() {} }),
  }
}

async function upstreamTo(service: McpService, era: EraName): Promise<Upstream> {
  const upstream = connectUpstream({
    name: 'far',
    target: { kind: 'http', url: await served(service) },
    clientInfo: { name: 'test', version: '1' },
    capabilities: { elicitation: { form: {} } },
    logLevel: 'debug',
    verdicts: verdictsOf(era),
    redact,
  })
  onTestFinished(() => upstream.close())
  return upstream
}

describe.each<EraName>(['modern', 'legacy'])('of a %s server', (era) => {
  test('results, keys, questions, progress and messages', async () => {
    const heard: unknown[] = []
    const service = echoing(async ({ ask, log, progress }) => {
      log('info', { [SECRET]: [SECRET, 1] })
      progress?.({ progress: 1, message: `at ${SECRET}` })
      const { content } = await ask('elicitation/create', { message: `Is it ${SECRET}?`, requestedSchema: {} })
      return { ...said(`it is ${SECRET}`), structuredContent: { [SECRET]: content ?? null } }
    })
    const upstream = await upstreamTo(service, era)
    upstream.on((event) => void heard.push(event))
    const info = await upstream.open()
    const onServerRequest = async ({ params }: { params: JsonObject }): Promise<JsonObject> => {
      heard.push(params)
      return { action: 'accept', content: {} }
    }
    const options = { onProgress: (step: object) => heard.push(step), onServerRequest }
    const result = await upstream.request('tools/call', { name: 'any' }, options)
    heard.push(info, upstream.info, result)
    expect(JSON.stringify(heard)).toContain('[secret]')
    expect(JSON.stringify(heard)).not.toContain(SECRET)
  })

  test('errors, with what stands beside their message', async () => {
    const service = echoing(async () => {
      throw rpcError(-32000, `no ${SECRET}`, { for: SECRET })
    })
    const upstream = await upstreamTo(service, era)
    const error: unknown = await upstream.request('tools/call', { name: 'any' }).catch((thrown) => thrown)
    expect(error).toMatchObject({ message: 'no [secret]', detail: { code: -32000, data: { for: '[secret]' } } })
    expect((error as Error).cause).toBeUndefined()
  })
})

test('what goes back to the server is left as it came', async () => {
  const opaque = { requestState: `s ${SECRET}`, taskId: `t ${SECRET}`, nextCursor: `c ${SECRET}` }
  const upstream = await upstreamTo(
    echoing(async () => ({ tools: [], ...opaque })),
    'legacy',
  )
  expect(await upstream.request('tools/list')).toMatchObject(opaque)
})

test('a client of a bridge sees none either', async () => {
  const service = echoing(async ({ method }) =>
    method === 'tools/list'
      ? { tools: [{ name: 'say', description: SECRET, inputSchema: { type: 'object' } }] }
      : said(SECRET),
  )
  const bridge = new BridgeService({
    servers: [{ name: 'far', target: { kind: 'http', url: await served(service) } }],
    serverInfo: { name: 'bridge', version: '1' },
    redact,
  })
  onTestFinished(() => bridge.close())
  const url = await served(bridge)
  const [listed, called] = [
    await replyTo(url, modern('tools/list')),
    await replyTo(url, modern('tools/call', { name: 'say' })),
  ]
  expect(JSON.stringify([listed.result, called.result])).not.toContain(SECRET)
  expect(called.result).toMatchObject(said('[secret]'))
})
