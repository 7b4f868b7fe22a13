import { commandStart } from './command-start.mjs'
import { FLAT_CASE, flat } from './flat.mjs'
import { IMPORT_CASE, importTime } from './import-time.mjs'
import { LOOP_CASES, loopCases } from './loop-cases.mjs'
import { manyRuns } from './many-runs.mjs'

/** Only these are measured beside peers. */
const BESIDE_PEERS = [...LOOP_CASES, FLAT_CASE, IMPORT_CASE]

/** @param {(name: string) => boolean} wanted */
export const needsPeers = (wanted) => BESIDE_PEERS.some(wanted)

/**
 * The run engine beside pi-agent-core, the AI SDK, LangGraph.js and a loop written by hand.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function bench(options) {
  await loopCases(options)
  await flat(options)
  await importTime(options)
  await commandStart(options)
  await manyRuns(options)
}
