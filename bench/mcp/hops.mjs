import { median } from '../bench-contract.mjs'
import { callLoad } from './call-load.mjs'
import { scriptPath, started } from './started.mjs'

const SUBJECTS = /** @type {const} */ ([
  ['tenon', 'tenon-bridge.mjs'],
  ['sdk-proxy', 'sdk-proxy.mjs'],
])
const MILLISECONDS = 2500

/** What one hop adds, and what it lets through; rounds alternate between the subjects. @type {import('../bench-contract.mjs').Bench} */
export async function hops({ rounds, wanted, report }) {
  if (wanted('hop-p50')) {
    const server = await started('echo-server.mjs', ['http'])
    const proxies = await Promise.all(SUBJECTS.map(([, script]) => started(script, [server.said.url])))
    /** @type {number[][]} */
    const added = SUBJECTS.map(() => [])
    const load = { inFlight: 1, milliseconds: MILLISECONDS }
    for (let round = 0; round < rounds; round++) {
      const direct = await callLoad(server.said.url, load)
      for (const [at, proxy] of proxies.entries())
        added[at]?.push((await callLoad(proxy.said.url, load)).p50 - direct.p50)
    }
    for (const [at, [subject]] of SUBJECTS.entries()) {
      const values = added[at] ?? []
      report({ case: 'hop-p50', subject, value: Math.min(...values), unit: 'ms added', worst: Math.max(...values) })
    }
    await Promise.all([...proxies, server].map(({ stop }) => stop()))
  }
  if (wanted('bridge-rps-16')) {
    const upstream = [process.execPath, scriptPath('echo-server.mjs')]
    const proxies = await Promise.all(SUBJECTS.map(([, script]) => started(script, upstream)))
    /** @type {number[][]} */
    const rates = SUBJECTS.map(() => [])
    for (let round = 0; round < rounds; round++)
      for (const [at, proxy] of proxies.entries())
        rates[at]?.push((await callLoad(proxy.said.url, { inFlight: 16, milliseconds: MILLISECONDS })).perSecond)
    for (const [at, [subject]] of SUBJECTS.entries()) {
      const values = rates[at] ?? []
      const value = rounds > 2 ? Math.max(median(values), Math.max(...values)) : Math.max(...values)
      report({ case: 'bridge-rps-16', subject, value, unit: 'requests/s', worst: Math.min(...values) })
    }
    await Promise.all(proxies.map(({ stop }) => stop()))
  }
}
