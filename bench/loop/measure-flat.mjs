// Runs in a process of its own: one subject, the same number of steps as many short runs and as a long one, by turns, so
// that the slow seconds of a shared machine hit both. Prints how much more a step of the long one takes.
import { pathToFileURL } from 'node:url'
import { median } from '../bench-contract.mjs'

const LONG = 10_000
const SHORT = 10
const TURNS = 15

const { subject } = await import(pathToFileURL(process.argv[2] ?? '').href)
const { run } = await subject({ journal: 'memory', folder: '' })

/** @param {number} steps of each run, until there were as many as a long one has */
async function milliseconds(steps) {
  const began = performance.now()
  for (let done = 0; done < LONG; done += steps) await run({ steps, parallel: 1 })
  return performance.now() - began
}

for (let warm = 0; warm < 10; warm += 1) await milliseconds(100)
const ratios = []
for (let turn = 0; turn < TURNS; turn += 1) {
  const short = await milliseconds(SHORT)
  ratios.push((await milliseconds(LONG)) / short)
}
process.stdout.write(String(median(ratios)))
