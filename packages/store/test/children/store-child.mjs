// A process of its own over the same store. Reads one JSON command a line, answers each with one JSON line.
import { createInterface } from 'node:readline'
import { openStore } from '@tenon/store'
import { appleEngine } from './apple-agent.mjs'

const answer = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)

const at = (seq) => ({ seq, at: Date.now() })
const cancel = (seq, reason) => ({ ...at(seq), kind: 'cancel-requested', reason })

/** Appends `count` events after whatever is there, again after each conflict. Tells which seqs it won. */
function appendMany(store, runId, count, who) {
  const won = []
  let conflicts = 0
  while (won.length < count) {
    const seq = (store.journal.load(runId).at(-1)?.seq ?? 0) + 1
    try {
      store.journal.append(runId, [cancel(seq, who)], false)
      won.push(seq)
    } catch (thrown) {
      if (thrown.code !== 'journal-conflict') throw thrown
      conflicts++
    }
  }
  return { won, conflicts }
}

/** Appends until it is killed, and tells of each append after it returned. */
function appendForever(store, runId, from) {
  for (let seq = from; ; seq += 2) {
    store.journal.append(runId, [cancel(seq, 'x'.repeat(seq % 5_000)), cancel(seq + 1, 'y')], seq % 50 === 0)
    answer(seq + 1)
  }
}

const commands = {
  open: (options) => {
    store = openStore(options)
    return store.holder
  },
  'append-many': ({ runId, count, who }) => appendMany(store, runId, count, who),
  'append-forever': ({ runId, from }) => appendForever(store, runId, from),
  put: ({ runId, item }) => store.inbox.put(runId, item) ?? null,
  acquire: ({ runId, holder, ttlMs }) => store.leases.acquire(runId, holder ?? store.holder, ttlMs),
  list: () => store.runs.list().runs.map((run) => run.runId),
  'drive-forever': async ({ runId }) => {
    const begun = new Promise((resolve) => {
      const engine = appleEngine(store, () => new Promise(() => resolve('begun')))
      engine.submit({ agent: 'apples', goal: 'Count the apples', runId })
    })
    return await begun
  },
  close: () => {
    store.close()
    return null
  },
}
let store

for await (const line of createInterface({ input: process.stdin })) {
  const { command, ...options } = JSON.parse(line)
  try {
    answer({ result: await commands[command](options) })
  } catch (thrown) {
    answer({ code: thrown.code ?? 'none', message: thrown.message })
  }
}
