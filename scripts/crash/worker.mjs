// One process of the crash test: takes the run as far as it gets and dies at the point that it was told.
// node worker.mjs DIR KILL_AT
import { createHash } from 'node:crypto'
import { createEngine, isTenonError, RequestId, RunId } from '@tenon/kernel'
import { openStore } from '@tenon/store'
import { scenario } from './scenario.mjs'

const [dir = '', killAt = '-1'] = process.argv.slice(2)
const RUN = RunId('run_crash')

let points = 0
/** Every place where the process may die. */
function point(name) {
  if (points === Number(killAt)) process.kill(process.pid, 'SIGKILL')
  points += 1
  process.send?.({ point: name })
}

/** @type {((value: any) => void)[]} */
const replies = []
process.on('message', (value) => replies.shift()?.(value))
const ask = (question) =>
  new Promise((resolve) => {
    replies.push(resolve)
    process.send?.(question)
  })

async function effect(name, key) {
  point(`before ${name}`)
  const answer = await ask({ effect: name, key })
  point(`inside ${name}`)
  return answer
}

const store = openStore({ dir })
const around = (events, write) => {
  const kinds = events.map(({ kind }) => kind).join('+')
  point(`before append ${kinds}`)
  write()
  point(`after append ${kinds}`)
}
const journal = {
  load: store.journal.load.bind(store.journal),
  begin: (runId, events, lease, sync) => around(events, () => store.journal.begin(runId, events, lease, sync)),
  append: (runId, events, sync) => around(events, () => store.journal.append(runId, events, sync)),
}
const sha256 = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`
const engine = createEngine({
  ...store,
  journal,
  digest: sha256,
  agents: scenario(effect, () => engine),
})

/** A person who looks at the world before they answer: yes to what has not happened, no to what has. */
async function answerOpen(runId) {
  const run = await engine.state(runId)
  for (const request of run.inputs.values()) {
    const below = request.via?.runId === undefined ? undefined : await engine.state(request.via.runId)
    const asked = below ? below.inputs.get(RequestId(request.via?.requestId ?? '')) : request
    if (!asked) continue
    const { tool } = (below ?? run).call(asked.callId).proposal
    const happened = await ask({ happened: tool })
    /** @type {import('@tenon/kernel').Json} */
    const answer = happened ? { kind: 'deny', reason: 'it has happened already' } : { kind: 'approve' }
    try {
      await engine.answer(runId, request.requestId, answer)
    } catch (error) {
      if (!isTenonError(error) || error.code !== 'request-unknown') throw error
    }
  }
}

const exists = (await store.journal.load(RUN, 0, 1)).length > 0
if (!exists) await engine.submit({ agent: 'main', goal: 'look, put, ask the peer, pay, have it noted', runId: RUN })
let run = await engine.drive(RUN)
while (!run.ended) {
  await answerOpen(RUN)
  run = await engine.drive(RUN)
}
process.send?.({ ended: run.state, points })
await engine.close()
store.close()
process.disconnect()
