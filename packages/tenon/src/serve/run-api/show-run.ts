import type { JsonObject } from '@tenon/kernel'
import { PARAMS } from './params.js'
import { route } from './route.js'
import { runOfCaller } from './runs-of-caller.js'
import { shownEvent } from './shown-event.js'

export const showRun = route<{ readonly run: string }>({
  name: 'getRun',
  method: 'GET',
  path: '/runs/{run}',
  about: 'A run: where it stands, what it waits on, what came of it.',
  scope: 'runs:read',
  params: { run: PARAMS.run },
  answers: { 200: { about: 'The run.', schema: 'Run' } },
  async answer({ ports: { host, cards }, caller, params }) {
    const summary = runOfCaller(host, caller, params.run)
    const { runId } = summary
    const { seq, submission, ended, forkedFrom, grants } = await host.engine.state(runId)
    const { limits, deadline } = submission
    // Cut like the event that it comes from, so that its handles are the same.
    const end: JsonObject = ended === undefined ? {} : shownEvent(runId, ended)
    return {
      status: 200,
      body: {
        ...summary,
        seq,
        limits,
        ...(deadline === undefined ? {} : { deadline }),
        ...(forkedFrom === undefined ? {} : { forkedFrom }),
        grants: grants.map(({ grantId, tool, scope, pattern, expiresAt, grantedBy }) => ({
          grantId,
          tool,
          scope,
          grantedBy,
          ...(pattern === undefined ? {} : { pattern }),
          ...(expiresAt === undefined ? {} : { expiresAt }),
        })),
        requests: cards.of(host.store.runs.openInputs({ runId })),
        ...(ended === undefined ? {} : { result: { blocks: end.blocks, output: end.output, error: end.error } }),
      },
    }
  },
})
