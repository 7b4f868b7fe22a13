import { type RunId, type RunState, react } from '@tenon/kernel'
import type { Store } from '@tenon/store'
import { storeEngine } from './store-engine.js'
import { unavailableModel } from './unavailable-model.js'

/** Cancels a run and waits for its end. Needs neither its agent nor a model, so that any run can be stopped from anywhere. */
export async function cancelAnywhere(
  store: Store,
  runId: RunId,
  reason: string | undefined,
  by: string,
): Promise<RunState> {
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
    await engine.cancel(runId, reason, by)
    return await engine.drive(runId)
  } finally {
    await engine.close()
  }
}
