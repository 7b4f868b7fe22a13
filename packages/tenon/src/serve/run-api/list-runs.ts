import { ContextId, RunId, type RunStateName } from '@tenon/kernel'
import { PARAMS } from './params.js'
import { route } from './route.js'
import { principalFilter } from './runs-of-caller.js'

type Params = {
  readonly state?: readonly RunStateName[]
  readonly agent?: string
  readonly contextId?: string
  readonly parent?: string
  readonly before?: string
  readonly after?: string
  readonly limit?: number
}

export const listRuns = route<Params>({
  name: 'listRuns',
  method: 'GET',
  path: '/runs',
  about: 'Runs that the caller may see, newest first; everything that a list shows of them in one answer.',
  scope: 'runs:read',
  params: {
    state: PARAMS.states,
    agent: PARAMS.agent,
    contextId: PARAMS.context,
    parent: PARAMS.parent,
    before: PARAMS.older,
    after: PARAMS.newer,
    limit: { in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1_000 }, about: 'Absent: 100.' },
  },
  answers: { 200: { about: 'A page.', schema: 'RunPage' } },
  answer({ ports, caller, params: { contextId, parent, ...filter } }) {
    const page = ports.host.store.runs.list({
      ...filter,
      ...principalFilter(caller),
      ...(contextId === undefined ? {} : { contextId: ContextId(contextId) }),
      ...(parent === undefined ? {} : { parent: parent === 'none' ? null : RunId(parent) }),
    })
    return { status: 200, body: page }
  },
})
