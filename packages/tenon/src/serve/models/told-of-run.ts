import { failureText } from '@tenon/a2a'
import type { ErrorRecord, RunId, RunState } from '@tenon/kernel'

/** Why a run that was not completed has no answer, in words that keep inside what a tool or a provider said. */
export function toldOfRun(runId: RunId, { ended, state }: RunState): ErrorRecord {
  const why = ended?.state === 'failed' ? failureText(ended) : `The run ended as ${state}.`
  return { code: `run-${state}`, message: `${why} GET /runs/${runId} shows more.`, retryable: false }
}

/** The HTTP status that goes with it. */
export function statusOfRun({ ended }: RunState): number {
  if (ended?.state === 'canceled') return 409
  return ended?.state === 'rejected' ? 422 : 500
}
