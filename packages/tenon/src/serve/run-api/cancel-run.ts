import { principalOf } from '@tenon/a2a'
import { cancelAnywhere } from '../../host/cancel-anywhere.js'
import { PARAMS } from './params.js'
import { route } from './route.js'
import { belongsHere, runOfCaller } from './runs-of-caller.js'

export const cancelRun = route<{ readonly run: string }, { readonly reason?: string }>({
  name: 'cancelRun',
  method: 'POST',
  path: '/runs/{run}/cancel',
  about: 'Stops a run with everything that it started. Harmless for one that has ended.',
  scope: 'runs:write',
  params: { run: PARAMS.run },
  body: 'Cancel',
  answers: {
    200: { about: 'It had ended before.', schema: 'Canceled' },
    202: { about: 'It is being stopped; its stream tells when it has ended.', schema: 'Canceled' },
  },
  async answer({ ports: { host, report }, caller, params, body: { reason } }) {
    const { runId, endedAt, ...run } = runOfCaller(host, caller, params.run)
    if (endedAt !== undefined) return { status: 200, body: { runId, state: run.state } }
    const by = principalOf(caller)
    if (belongsHere(host, { runId, endedAt, ...run })) await host.engine.cancel(runId, reason, by)
    else cancelAnywhere(host.store, runId, reason, by).catch(report)
    return { status: 202, body: { runId, state: run.state } }
  },
})
