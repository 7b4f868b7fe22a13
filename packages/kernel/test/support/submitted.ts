import { CallId, ContextId, RunId } from '../../src/content/ids.js'
import { userMessage } from '../../src/content/message.js'
import type { RunEventOf, Submission } from '../../src/run/events.js'

/** The first event of a run. */
export const submitted = (more: Partial<Submission> = {}): RunEventOf<'run-submitted'> => ({
  seq: 1,
  at: 1_000,
  kind: 'run-submitted',
  agent: 'a',
  goal: userMessage('go'),
  contextId: ContextId('c'),
  depth: 0,
  planner: { name: 'react', version: 1 },
  limits: {},
  ...more,
})

/** What makes it a run of another. */
export const below = (parent: string): Pick<Submission, 'parent'> => ({
  parent: { runId: RunId(parent), callId: CallId('t1.1') },
})
