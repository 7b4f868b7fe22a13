import { performance } from 'node:perf_hooks'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { BridgeService, LOCAL_PRINCIPAL } from '@tenon/mcp'
import { started } from './started.mjs'

/** @param {readonly string[]} urls @param {object} [more] */
function federation(urls, more = {}) {
  const servers = urls.map((url, at) => ({ name: `s${at}`, target: /** @type {const} */ ({ kind: 'http', url }) }))
  return new BridgeService({ servers, serverInfo: { name: 'bench', version: '1' }, ...more })
}

/** @param {BridgeService} service */
async function listOf(service) {
  const caller = /** @type {const} */ ({ principal: LOCAL_PRINCIPAL, era: 'modern', clientInfo: {}, capabilities: {} })
  const { tools } = await service.request({
    method: 'tools/list',
    params: {},
    meta: {},
    caller,
    signal: new AbortController().signal,
    logLevel: undefined,
    log: () => undefined,
    ask: () => Promise.reject(new Error('nobody is asked')),
  })
  return /** @type {unknown[]} */ (tools).length
}

/** @param {readonly string[]} urls */
async function sdkList(urls) {
  const lists = await Promise.all(
    urls.map(async (url) => {
      const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } })
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
      const { tools } = await client.listTools()
      await client.close()
      return tools
    }),
  )
  return new Set(lists.flat().map(({ name }) => name)).size
}

/** @param {Awaited<ReturnType<typeof started>>} servers @returns {Promise<number>} */
const lastAnswer = ({ child }) =>
  new Promise((resolve) => {
    child.once('message', (said) => resolve(/** @type {{ lastAnswer: number }} */ (said).lastAnswer))
    child.send('when')
  })

/** Catalogues of many servers, some of which never answer. @type {import('../bench-contract.mjs').Bench} */
export async function manyUpstreams({ rounds, wanted, report }) {
  if (wanted('catalogue-500')) {
    const servers = await started('many-servers.mjs', ['20', '0', '25'])
    /** @type {{ tenon: number[], sdk: number[] }} */
    const values = { tenon: [], sdk: [] }
    for (let round = 0; round < rounds; round++) {
      // All of them are waited for: what counts begins with the last answer.
      const service = federation(servers.said.urls, { startPatienceMs: 30_000 })
      const count = await listOf(service)
      const ready = Date.now()
      if (count !== 500) throw new Error(`${count} of 500 tools were listed`)
      values.tenon.push(ready - (await lastAnswer(servers)))
      await service.close()
      if ((await sdkList(servers.said.urls)) !== 500) throw new Error('the SDK listed fewer than 500 tools')
      values.sdk.push(Date.now() - (await lastAnswer(servers)))
    }
    for (const [subject, own] of Object.entries({ tenon: values.tenon, 'sdk-clients': values.sdk }))
      report({
        case: 'catalogue-500',
        subject,
        value: Math.min(...own),
        unit: 'ms after the last answer',
        worst: Math.max(...own),
      })
    await servers.stop()
  }
  if (wanted('start-20-with-5-hanging')) {
    const servers = await started('many-servers.mjs', ['20', '5', '25'])
    /** @type {number[]} */
    const times = []
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      const service = federation(servers.said.urls)
      const count = await listOf(service)
      times.push(performance.now() - began)
      if (count !== 375) throw new Error(`${count} of 375 tools were listed`)
      await service.close()
    }
    report({
      case: 'start-20-with-5-hanging',
      subject: 'tenon',
      value: Math.min(...times),
      unit: 'ms',
      worst: Math.max(...times),
    })
    await servers.stop()
  }
}
