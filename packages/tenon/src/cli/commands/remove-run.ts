import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { openRuns } from '../open-runs.js'
import { resolveRun } from '../resolve-run.js'

/** `tenon runs remove` */
export async function removeRun(io: Io, written: string, options: CommonOptions): Promise<number> {
  const { store } = openRuns(io, options)
  try {
    const { runId } = resolveRun(store, written)
    const { runs, artifacts } = store.remove(runId)
    const more = [runs > 1 ? `${runs - 1} sub-runs` : '', artifacts > 0 ? `${artifacts} artifacts` : '']
    io.stderr.write(`${[`${runId} is removed`, ...more.filter((part) => part !== '')].join(', ')}.\n`)
    return EXIT.completed
  } finally {
    store.close()
  }
}
