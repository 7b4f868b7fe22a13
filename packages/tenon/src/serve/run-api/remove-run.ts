import { PARAMS } from './params.js'
import { route } from './route.js'
import { runOfCaller } from './runs-of-caller.js'

export const removeRun = route<{ readonly run: string }>({
  name: 'removeRun',
  method: 'DELETE',
  path: '/runs/{run}',
  about: 'Removes a run that has ended, with its sub-runs, its journal, and artifacts that no other run refers to.',
  scope: 'runs:write',
  params: { run: PARAMS.run },
  answers: { 200: { about: 'It is gone.', schema: 'Removed' } },
  answer({ ports: { host }, caller, params }) {
    const { runId } = runOfCaller(host, caller, params.run)
    return { status: 200, body: { runId, ...host.store.remove(runId) } }
  },
})
