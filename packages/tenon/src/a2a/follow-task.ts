import { randomUUID } from 'node:crypto'
import { type CallContext, CallId, RunId } from '@tenon/kernel'
import { EXIT } from '../cli/exit-code.js'
import type { Io } from '../cli/io.js'
import { onSignals } from '../cli/on-signals.js'

/** Follows a task for a person. Going away lets go of the task and does not cancel it. */
export async function followTask(io: Io, follow: (context: CallContext) => Promise<number>): Promise<number> {
  const stop = new AbortController()
  const go = (): void => stop.abort()
  const leave = onSignals({ cancel: go, leave: go })
  const context: CallContext = {
    runId: RunId('cli'),
    callId: CallId('cli'),
    key: randomUUID(),
    attempt: 1,
    signal: stop.signal,
    handle: undefined,
    budget: undefined,
    answers: [],
    progress: () => undefined,
  }
  try {
    return await follow(context)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    io.stderr.write('Left; the task goes on: tenon a2a watch follows it again.\n')
    return EXIT.canceled
  } finally {
    leave()
  }
}
