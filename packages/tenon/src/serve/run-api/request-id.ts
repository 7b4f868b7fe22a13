import { RequestId, RunId } from '@tenon/kernel'

const PARTS = /^(.+)\.(t\d+\.\d+)\.(q\d+)$/

/** The id of a request among those of all runs, without a slash, so that it can stand in a path as it is. */
export const inboxId = (runId: RunId, requestId: RequestId): string => `${runId}.${requestId.replace('/', '.')}`

/** Undefined for what cannot be the id of a request. */
export function readInboxId(id: string): { readonly runId: RunId; readonly requestId: RequestId } | undefined {
  const [, run, call, question] = PARTS.exec(id) ?? []
  if (run === undefined || call === undefined || question === undefined) return undefined
  return { runId: RunId(run), requestId: RequestId(`${call}/${question}`) }
}
