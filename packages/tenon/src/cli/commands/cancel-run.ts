import { cancelAnywhere } from '../../host/cancel-anywhere.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { openRuns } from '../open-runs.js'
import { resolveRun, UNFINISHED } from '../resolve-run.js'

export type CancelRunOptions = CommonOptions & { readonly reason?: string }

/** `tenon runs cancel` */
export async function cancelRun(io: Io, written: string, options: CancelRunOptions): Promise<number> {
  const { store } = openRuns(io, options)
  try {
    const { runId, endedAt, state } = resolveRun(store, written, UNFINISHED)
    if (endedAt !== undefined) {
      io.stderr.write(`${runId} has ended already: ${state}.\n`)
      return EXIT.completed
    }
    const run = await cancelAnywhere(store, runId, options.reason, 'cli')
    io.stderr.write(`${runId}: ${run.state}\n`)
    return EXIT.completed
  } finally {
    store.close()
  }
}
