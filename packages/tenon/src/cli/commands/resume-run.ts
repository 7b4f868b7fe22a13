import { type DriveOptions, driveRun } from '../drive-run.js'
import { EXIT } from '../exit-code.js'
import { hostOfRun } from '../host-of-run.js'
import type { CommonOptions, Io } from '../io.js'
import { UNFINISHED } from '../resolve-run.js'
import { tellStart } from '../tell-start.js'
import type { ChoosingOptions } from './run-goal.js'

/** `tenon runs resume` */
export async function resumeRun(
  io: Io,
  written: string,
  options: CommonOptions & ChoosingOptions & DriveOptions,
): Promise<number> {
  const { host, run } = await hostOfRun(io, written, UNFINISHED, options)
  try {
    if (run.endedAt !== undefined) {
      io.stderr.write(`${run.runId} has ended: ${run.state}. See it with: tenon runs show ${run.runId}\n`)
      return run.state === 'completed' ? EXIT.completed : EXIT.failed
    }
    host.requireModel()
    tellStart(host, io, options)
    const { seq } = await host.engine.state(run.runId)
    return await driveRun(host.engine, run.runId, io, options, {
      after: seq,
      opening: `Going on with ${run.runId} after event ${seq}.`,
      contextWindow: host.agent.model.contextWindow,
      inbox: host.store.inbox,
    })
  } finally {
    await host.close()
  }
}
