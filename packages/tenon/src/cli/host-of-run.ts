import { isJsonObject, type RunStateName } from '@tenon/kernel'
import type { RunSummary } from '@tenon/store'
import { loadConfig } from '../config/load-config.js'
import { PLANNER_NAMES } from '../config/planner-names.js'
import type { Host } from '../host/host.js'
import { knownNames } from '../host/known-names.js'
import { openHost } from '../host/open-host.js'
import type { ChoosingOptions } from './commands/run-goal.js'
import type { CommonOptions, Io } from './io.js'
import { openRuns } from './open-runs.js'
import { resolveRun, rootOf } from './resolve-run.js'
import { whileWaiting } from './while-waiting.js'

export type HostOfRun = { readonly host: Host; readonly run: RunSummary }

/**
 * A run that exists and a host that can drive it: with the configuration of the folder that the run was started in, so
 * that it goes on with the same agents and the same workspace wherever the user stands now. A sub-run leads to its root.
 */
export async function hostOfRun(
  io: Io,
  written: string,
  preferred: readonly RunStateName[],
  options: CommonOptions & ChoosingOptions,
): Promise<HostOfRun> {
  const runs = openRuns(io, options)
  try {
    const run = rootOf(runs.store, resolveRun(runs.store, written, preferred))
    const [first] = await runs.store.journal.load(run.runId, 0, 1)
    const metadata = first?.kind === 'run-submitted' ? first.metadata : undefined
    const place = isJsonObject(metadata) ? metadata : {}
    const cwd = typeof place.cwd === 'string' ? place.cwd : io.cwd
    const workspace = options.workspace ?? (typeof place.workspace === 'string' ? place.workspace : undefined)
    // Said anew, neither of both is as it was: each of them would change what the other one means.
    const minded = options.model === undefined && options.rehearsal === undefined ? place : options
    const model = typeof minded.model === 'string' ? minded.model : undefined
    const rehearsal = typeof minded.rehearsal === 'string' ? minded.rehearsal : undefined
    const planner = options.planner ?? PLANNER_NAMES.find((name) => name === place.planner)
    const file = options.config ?? (typeof place.config === 'string' ? place.config : undefined)
    const loaded =
      cwd === io.cwd && file === options.config
        ? runs.loaded
        : loadConfig({ cwd, environment: io.environment, known: knownNames(), ...(file === undefined ? {} : { file }) })
    const opening = openHost({
      store: runs.store,
      loaded,
      environment: io.environment,
      cwd,
      // A call that is open at a server is found again only when the server is there.
      serverWaitMs: 30_000,
      choosing: {
        agent: run.agent,
        ...(workspace === undefined ? {} : { workspace }),
        ...(model === undefined ? {} : { model }),
        ...(rehearsal === undefined ? {} : { rehearsal }),
        ...(planner === undefined ? {} : { planner }),
      },
    })
    return { host: await whileWaiting(io, options, 'starting up', opening), run }
  } catch (error) {
    runs.store.close()
    throw error
  }
}
