import { measureRuns } from './measure-runs.mjs'

export const needsPeers = () => false

/**
 * The run API of `tenon serve`: a process of its own over a store of ten thousand runs, one of which has ten thousand
 * events and three open questions.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function bench({ rounds, wanted, report }) {
  /** @type {Map<string, { unit: string, values: number[] }>} */
  const found = new Map()
  for (let round = 0; round < rounds; round++)
    for (const { name, unit, value } of await measureRuns(wanted)) {
      /** @type {{ unit: string, values: number[] }} */
      const known = found.get(name) ?? { unit, values: [] }
      known.values.push(value)
      found.set(name, known)
    }
  for (const [name, { unit, values }] of found) {
    const [least, most] = [Math.min(...values), Math.max(...values)]
    const isTime = unit === 'ms'
    report({ case: name, subject: 'tenon', value: isTime ? least : most, unit, worst: isTime ? most : least })
  }
}
