import { ROOT_SCOPE, RunId, text, USER, userMessage } from '@tenon/kernel'
import { openStore } from '@tenon/store'

const RUNS = 10_000
const EVENTS = 10_000
const QUESTIONS = 3
const ORIGIN = { kind: 'function', name: 'builtin' }

/** The run that has ten thousand events and waits for three answers. */
export const LONG_RUN = 'run_long'

/** @param {string} dir */
export function fillStore(dir) {
  const store = openStore({ dir })
  for (let number = 0; number < RUNS; number++)
    store.journal.append(RunId(`run_${number}`), numbered([submitted(`Goal ${number}`), ended()], 1), false)
  const run = RunId(LONG_RUN)
  store.journal.append(run, numbered([submitted('A long way')], 1), false)
  let seq = 2
  for (let turn = 1; seq < EVENTS - 2 * QUESTIONS; turn++) {
    const events = numbered(turnOf(turn), seq)
    store.journal.append(run, events, false)
    seq += events.length
  }
  for (let question = 0; question < QUESTIONS; question++) {
    const events = numbered(asking(`t0.${question}`), seq)
    store.journal.append(run, events, false)
    seq += events.length
  }
  store.close()
}

/** @param {any[]} bodies @param {number} from @returns {any[]} */
const numbered = (bodies, from) => bodies.map((body, index) => ({ ...body, seq: from + index, at: Date.now() }))

/** @param {string} goal */
const submitted = (goal) => ({
  kind: 'run-submitted',
  agent: 'assistant',
  goal: userMessage(goal),
  contextId: 'ctx_1',
  depth: 0,
  planner: { name: 'react', version: 1 },
  limits: {},
})
const ended = () => ({ kind: 'run-ended', state: 'completed', blocks: [text('Done.')] })

/** @param {number} turn */
function turnOf(turn) {
  const [turnId, callId] = [`t${turn}`, `t${turn}.1`]
  const call = { kind: 'tool-call', callId, name: 'lookup', args: { query: 'what is wanted of this step', n: turn } }
  const view = { window: 200_000, messages: turn, digest: turn, tokens: 100 * turn }
  return [
    { kind: 'turn-began', turnId, scope: ROOT_SCOPE, purpose: 'act', model: { provider: 'p', model: 'm' }, view },
    { kind: 'block-ended', turnId, index: 0, block: text(`I look at step ${turn} of the way. `.repeat(5)) },
    { kind: 'block-ended', turnId, index: 1, block: call },
    { kind: 'turn-ended', turnId, outcome: 'finished', finish: 'tool-calls', usage: null },
    { kind: 'call-proposed', call: proposal(callId, 'pure') },
    { kind: 'call-begun', callId, effect: 'pure', key: `${LONG_RUN}:${callId}`, attempt: 1 },
    {
      kind: 'call-settled',
      callId,
      outcome: 'finished',
      content: [text(`What was found at step ${turn}. `.repeat(8))],
      provenance: USER,
    },
  ]
}

/** @param {string} callId @param {string} effect */
const proposal = (callId, effect) => ({
  callId,
  scope: ROOT_SCOPE,
  tool: 'lookup',
  args: { query: 'what is wanted of this step' },
  refs: [],
  toolDigest: 'sha256:0',
  origin: ORIGIN,
  effect,
  key: `${LONG_RUN}:${callId}`,
  provenance: USER,
})

/** @param {string} callId */
const asking = (callId) => [
  { kind: 'call-proposed', call: proposal(callId, 'once') },
  {
    kind: 'input-requested',
    request: {
      requestId: `${callId}/q1`,
      kind: 'approval',
      callId,
      key: 'consent',
      prompt: 'Run lookup?',
      binding: 'sha256:0',
      resume: null,
    },
  },
]
