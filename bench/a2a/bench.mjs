import { median } from '../bench-contract.mjs'
import { manyTasks } from './many-tasks.mjs'
import { measureA2A, roundTrips } from './measure-a2a.mjs'
import { parkedTasks } from './parked-tasks.mjs'
import { takeover } from './takeover.mjs'
import { tenonServer } from './tenon-server.mjs'

/** Measured beside the SDK's own handler, in memory and on its SQL store. */
const BESIDE_PEERS = ['chunks-1000', 'round-trip', 'streams-200']
const TURNS_A_ROUND = 4

/** @param {(name: string) => boolean} wanted */
export const needsPeers = (wanted) => BESIDE_PEERS.some(wanted)

/**
 * The A2A server beside the official SDK's `DefaultRequestHandler`, in memory and with its `DatabaseTaskStore`.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function bench({ rounds, wanted, report, note }) {
  const cases = BESIDE_PEERS.filter(wanted)
  if (cases.length > 0) {
    // By address: the peers are installed only where they are measured, so that nothing else can be checked against them.
    const { sdkServer } = await import(new URL('../peers/a2a-sdk.mjs', import.meta.url).href)
    const subjects = [
      { subject: 'tenon', start: tenonServer },
      { subject: 'a2a-js (memory)', start: () => sdkServer('memory') },
      { subject: 'a2a-js (sqlite)', start: () => sdkServer('sqlite') },
    ]
    for (const name of cases) {
      if (name === 'round-trip') {
        await byTurns(subjects, rounds * TURNS_A_ROUND, report)
        continue
      }
      /** @type {Map<string, number[]>} */
      const found = new Map(subjects.map(({ subject }) => [subject, []]))
      for (let round = 0; round < rounds; round++)
        for (const { subject, start } of subjects) {
          const server = await start()
          try {
            found.get(subject)?.push(await measureA2A(name, server.url))
          } catch (error) {
            note(`${subject} failed at ${name}: ${String(error)}`)
          } finally {
            await server.stop()
          }
        }
      for (const [subject, values] of found)
        if (values.length > 0)
          report({ case: name, subject, value: Math.min(...values), unit: 'ms', worst: Math.max(...values) })
    }
  }
  if (wanted('list-100000') || wanted('get-100000'))
    for (const [name, value] of Object.entries(await manyTasks(100_000)))
      if (wanted(`${name}-100000`)) report({ case: `${name}-100000`, subject: 'tenon', value, unit: 'ms' })
  if (wanted('parked-10000')) {
    const { megabytes, timers } = await parkedTasks(10_000)
    report({ case: 'parked-10000', subject: 'tenon', value: megabytes, unit: 'MB' })
    report({ case: 'parked-10000', subject: 'tenon (timers)', value: timers, unit: 'timers' })
  }
  if (wanted('takeover')) {
    const values = []
    for (let round = 0; round < rounds; round++) values.push(await takeover())
    report({ case: 'takeover', subject: 'tenon', value: median(values), unit: 'ms', worst: Math.max(...values) })
  }
}

/**
 * @param {readonly { subject: string, start: () => Promise<{ url: string, stop: () => unknown }> }[]} subjects
 * @param {number} turns
 * @param {Parameters<import('../bench-contract.mjs').Bench>[0]['report']} report
 */
async function byTurns(subjects, turns, report) {
  const servers = []
  for (const { start } of subjects) servers.push(await start())
  const found = await roundTrips(
    servers.map(({ url }) => url),
    turns,
  )
  for (const [index, { subject }] of subjects.entries()) {
    const { value = Number.NaN, worst } = found[index] ?? {}
    report({ case: 'round-trip', subject, value, unit: 'ms', worst })
  }
  for (const server of servers) await server.stop()
}
