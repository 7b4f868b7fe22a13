// Runs in a process of its own: one subject, one workload, one round. Prints `{ "value": …, "runs": … }`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { module, journal, steps, parallel, milliseconds } = JSON.parse(process.argv[2] ?? '{}')
const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'))
const { subject } = await import(pathToFileURL(module).href)
const { run, close } = await subject({ journal, folder })

/** @param {number} steps */
async function once(steps) {
  const began = performance.now()
  const calls = await run({ steps, parallel })
  const took = performance.now() - began
  if (calls !== steps * parallel) throw new Error(`${calls} calls ran, ${steps * parallel} were proposed`)
  return took
}

// Short runs warm the compiler up for long ones too. It takes its time in the background: measured is what it made.
const warmUpEnds = performance.now() + 2 * milliseconds
for (let warm = 0; warm < 4_000 && performance.now() < warmUpEnds; warm += 1) await once(Math.min(steps, 100))

// In blocks, of which the fastest counts: a shared machine has slow seconds, and they are no subject's. A long run is a
// block by itself: were it several, it would have to be lucky for longer than a short one.
const blocks = []
let runs = 0
const ends = performance.now() + milliseconds
while (blocks.length === 0 || performance.now() < ends) {
  const times = []
  const blockEnds = performance.now() + milliseconds / 10
  do times.push(await once(steps))
  while (performance.now() < blockEnds)
  times.sort((a, b) => a - b)
  blocks.push(times[times.length >> 1] ?? Number.NaN)
  runs += times.length
}
process.stdout.write(JSON.stringify({ value: Math.min(...blocks), runs }))

close?.()
rmSync(folder, { recursive: true, force: true })
