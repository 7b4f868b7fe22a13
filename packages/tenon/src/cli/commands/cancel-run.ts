import { react } from '@tenon/kernel'
import { storeEngine } from '../../host/store-engine.js'
import { unavailableModel } from '../../host/unavailable-model.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { openRuns } from '../open-runs.js'
import { resolveRun, UNFINISHED } from '../resolve-run.js'

export type CancelRunOptions = CommonOptions & { readonly reason?: string }

/** `tenon runs cancel`: needs neither the agent nor a model, so that any run can be stopped from anywhere. */
export async function cancelRun(io: Io, written: string, options: CancelRunOptions): Promise<number> {
  const { store } = openRuns(io, options)
  const engine = storeEngine(store, (name) => ({
    name,
    model: unavailableModel('This process only cancels.'),
    tools: [],
    planner: react(),
    policy: { rules: [], otherwise: 'deny' },
    frame: [],
    limits: {},
  }))
  try {
    const { runId, endedAt, state } = resolveRun(store, written, UNFINISHED)
    if (endedAt !== undefined) {
      io.stderr.write(`${runId} has ended already: ${state}.\n`)
      return EXIT.completed
    }
    await engine.cancel(runId, options.reason, 'cli')
    const run = await engine.drive(runId)
    io.stderr.write(`${runId}: ${run.state}\n`)
    return EXIT.completed
  } finally {
    await engine.close()
    store.close()
  }
}
