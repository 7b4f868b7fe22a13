import { type DriveOptions, driveRun } from '../drive-run.js'
import { hostOfRun } from '../host-of-run.js'
import type { CommonOptions, Io } from '../io.js'
import { resolveRun } from '../resolve-run.js'
import { tellStart } from '../tell-start.js'
import type { ChoosingOptions } from './run-goal.js'

/** `tenon runs fork`: where the other run was started, so that it goes on with the same agents and workspace. */
export async function forkRun(
  io: Io,
  written: string,
  seq: number,
  options: CommonOptions & ChoosingOptions & DriveOptions,
): Promise<number> {
  const { host } = await hostOfRun(io, written, [], options)
  try {
    host.requireModel()
    tellStart(host, io, options)
    const { runId, parent, goal } = resolveRun(host.store, written)
    // A sub-run keeps no place of its own.
    const fork = await host.engine.fork(runId, seq, parent === undefined ? {} : { metadata: host.metadataOf(goal) })
    return await driveRun(host.engine, fork, io, options, {
      after: seq,
      opening: `Forked from ${runId} after event ${seq}.`,
      contextWindow: host.agent.model.contextWindow,
      inbox: host.store.inbox,
    })
  } finally {
    await host.close()
  }
}
