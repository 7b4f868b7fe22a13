import { principalOf } from '@tenon/a2a'
import { HostError } from '../../errors.js'
import { beginRun } from './begin-run.js'
import { PARAMS } from './params.js'
import { route } from './route.js'
import { belongsHere, runOfCaller } from './runs-of-caller.js'

export const forkRun = route<{ readonly run: string; readonly 'idempotency-key'?: string }, { readonly seq: number }>({
  name: 'forkRun',
  method: 'POST',
  path: '/runs/{run}/fork',
  about: [
    'Begins a new run as this one stood after an event. Nothing that was done by then is done again;',
    'calls that were open then go on like after a crash, and consent is asked for anew.',
  ].join(' '),
  scope: 'runs:write',
  params: { run: PARAMS.run, 'idempotency-key': PARAMS.key },
  body: 'Fork',
  answers: {
    201: { about: 'The new run is in the journal.', schema: 'Began' },
    200: { about: 'It was begun before, by a request with the same key.', schema: 'Began' },
  },
  async answer({ ports: { host }, caller, params, body: { seq } }) {
    const run = runOfCaller(host, caller, params.run)
    if (!belongsHere(host, run))
      throw new HostError(
        'run-elsewhere',
        `This run belongs to another folder. Fork it there: tenon runs fork ${run.runId} ${seq}`,
      )
    const beginning = { caller, key: params['idempotency-key'], request: { fork: run.runId, seq } }
    return beginRun(host, beginning, (runId) =>
      host.engine.fork(run.runId, seq, {
        runId,
        principal: principalOf(caller),
        // A sub-run keeps none of its own.
        ...(run.parent === undefined ? {} : { metadata: host.metadataOf(run.goal) }),
      }),
    )
  },
})
