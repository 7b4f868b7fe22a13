import { demoRun } from './demo-run.mjs'
import { wallByLayer } from './wall-by-layer.mjs'

export const needsPeers = () => false

/**
 * The report of `examples/competitor-report`, with a model that answers at once: where the time of the whole goes.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function bench({ rounds, wanted, report }) {
  if (!wanted('wall')) return
  const measured = []
  for (let round = 0; round < rounds; round++) measured.push(wallByLayer(await demoRun()))
  const best = measured.reduce((one, other) => (other.whole < one.whole ? other : one))
  const worst = Math.max(...measured.map(({ whole }) => whole))
  report({ case: 'wall', subject: 'all but the model', value: best.whole, unit: 'ms', worst })
  for (const [subject, value] of Object.entries(best.layers)) report({ case: 'wall', subject, value, unit: 'ms' })
}
