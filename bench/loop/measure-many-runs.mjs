// Runs in a process of its own, once to fill a store with parked runs and once, fresh, to list and resume them.
// Prints one JSON object.
import { z } from 'zod'
import { tool } from '../../packages/tenon/dist/tools/tool.js'
import { median } from '../bench-contract.mjs'
import { benchAgent, instantModel, tenonEngine } from './tenon-engine.mjs'

const { phase, folder, runs, round } = JSON.parse(process.argv[2] ?? '{}')

// Undeclared effects ask for consent: each run parks on a person at its first call.
const charge = tool({
  name: 'charge',
  description: 'Charges a card',
  input: z.object({ amount: z.number() }),
  run: () => 'charged',
})
const model = instantModel(({ messages }) =>
  messages.some(({ role }) => role === 'tool') ? [] : [{ kind: 'tool-call', name: 'charge', args: { amount: 1 } }],
)
const { engine, store } = tenonEngine({ journal: 'sqlite', folder, agent: benchAgent(model, [charge], { rules: [] }) })
if (!store) throw new Error('the runs are kept on SQLite')

process.stdout.write(JSON.stringify(phase === 'fill' ? await fill(engine) : await use(engine, store)))
await engine.close()
store.close()

/** @param {import('@tenon/kernel').Engine} engine */
async function fill(engine) {
  const park = async () => {
    const { ended, inputs } = await engine.drive(await engine.submit({ agent: 'bench', goal: 'charge the card' }))
    if (ended || inputs.size !== 1) throw new Error('the run did not park')
  }
  // The first hundred also warm up what stays: compiled code, statements, the pages of the database.
  for (let run = 0; run < 100; run += 1) await park()
  const before = heldBytes()
  for (let run = 100; run < runs; run += 1) await park()
  return { bytesPerParkedRun: (heldBytes() - before) / (runs - 100) }
}

function heldBytes() {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** @param {import('@tenon/kernel').Engine} engine @param {import('@tenon/store').Store} store */
async function use(engine, store) {
  const listing = []
  let listed = store.runs.list({ limit: runs }).runs
  for (let time = 0; time < 9; time += 1) {
    const began = performance.now()
    listed = store.runs.list({ limit: runs }).runs
    listing.push(performance.now() - began)
  }
  if (listed.length !== runs) throw new Error(`${listed.length} of ${runs} runs were listed`)

  const resuming = []
  for (let at = round; at < runs; at += Math.floor(runs / 40)) {
    const runId = listed[at]?.runId
    if (!runId) throw new Error('a run is missing')
    const began = performance.now()
    const open = store.runs.openInputs({ runId })[0]
    if (!open) throw new Error(`${runId} asks nothing`)
    await engine.answer(runId, open.request.requestId, { kind: 'approve' })
    const { ended } = await engine.drive(runId)
    resuming.push(performance.now() - began)
    if (ended?.state !== 'completed') throw new Error(`${runId} ended as ${ended?.state}`)
  }
  return { list: median(listing), resume: median(resuming) }
}
