import { randomUUID } from 'node:crypto'
import { type CallContext, CallId, RunId } from '@tenon/kernel'
import { onSignals } from '../cli/on-signals.js'

/** What the client needs to follow a task for a person. Going away lets go of the task and does not cancel it. */
export function followContext(): { readonly context: CallContext; readonly leave: () => void } {
  const stop = new AbortController()
  const go = (): void => stop.abort(new Error('Left; the task goes on.'))
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
  return { context, leave }
}
