import { RunId } from '@tenon/kernel'

const SHAPE = /^resp_(run_[0-9a-z]+)(?:_(\d{1,12}))?$/

/** The id of the response that a run gives after one of its events; the run itself where nothing was answered in it. */
export const responseId = (runId: RunId, after: number): string => `resp_${runId}${after === 0 ? '' : `_${after}`}`

/** Undefined for what cannot be an id of a response. */
export function readResponseId(id: string): { readonly runId: RunId; readonly after: number } | undefined {
  const [, runId, after = '0'] = SHAPE.exec(id) ?? []
  return runId === undefined ? undefined : { runId: RunId(runId), after: Number(after) }
}
