import { describe, expect, onTestFinished, test } from 'vitest'
import { BridgeService } from '../src/bridge/bridge-service.js'
import type { McpService } from '../src/server/service.js'
import type { EraName } from '../src/upstream/upstream.js'
import { called, hostOf, verdictsOf } from './host-call.js'
import { legacy, legacySession, modern, type Reply, replyTo, said, served, serviceOf } from './served.js'

/** Tells a caller what stood in the `_meta` of the call. */
const tells = serviceOf(async ({ meta }) => said(JSON.stringify(meta)))
const listed: McpService = {
  ...tells,
  request: (call) =>
    call.method === 'tools/list'
      ? Promise.resolve({ tools: [{ name: 'meta', inputSchema: { type: 'object' } }] })
      : tells.request(call),
}

describe.each<EraName>(['modern', 'legacy'])('a %s server', (era) => {
  test('is told the trace of a run and the span of a call, and neither of their ids', async () => {
    const servers = [{ name: 'far', target: { kind: 'http' as const, url: await served(listed) } }]
    const host = hostOf(servers, { verdicts: verdictsOf(era) })
    const spanOf = async (runId: string, callId: string): Promise<readonly string[]> => {
      const { traceparent } = JSON.parse((await called(host, 'meta', {}, { runId, callId })).text)
      return /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(traceparent)?.slice(1) ?? []
    }
    const [first = '', one = ''] = await spanOf('run_a', 'call_1')
    const [again, two] = await spanOf('run_a', 'call_2')
    const [other] = await spanOf('run_b', 'call_1')
    expect(first).toHaveLength(32)
    expect([again, two === one, other === first]).toEqual([first, false, false])
    expect(host.states[0]?.info?.era).toBe(era)
  })

  test.each<EraName>(['modern', 'legacy'])('behind a bridge hears the trace of a %s client as it was', async (near) => {
    const service = new BridgeService({
      servers: [{ name: 'far', target: { kind: 'http', url: await served(listed) } }],
      serverInfo: { name: 'bridge', version: '1' },
      verdicts: verdictsOf(era),
    })
    onTestFinished(() => service.close())
    const url = await served(service)
    const context = {
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      tracestate: 'vendor=opaque',
      baggage: 'user=ann',
    }
    const params = { name: 'meta', arguments: {}, _meta: context }
    const reply: Reply =
      near === 'modern'
        ? await replyTo(url, modern('tools/call', params))
        : await replyTo(url, legacy('tools/call', params, await legacySession(url)))
    const { content = [] } = reply.result ?? {}
    expect(JSON.parse((content as { text: string }[])[0]?.text ?? '{}')).toMatchObject(context)
  })
})
