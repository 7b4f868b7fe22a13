import { commandStart } from './command-start.mjs'
import { importTime } from './import-time.mjs'
import { loopCases } from './loop-cases.mjs'
import { manyRuns } from './many-runs.mjs'

export const needsPeers = true

/**
 * The run engine beside pi-agent-core, the AI SDK, LangGraph.js and a loop written by hand.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function bench(options) {
  await loopCases(options)
  await importTime(options)
  await commandStart(options)
  await manyRuns(options)
}
