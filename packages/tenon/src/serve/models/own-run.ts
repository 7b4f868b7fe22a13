import type { RunId } from '@tenon/kernel'
import type { RunSummary } from '@tenon/store'
import { HostError } from '../../errors.js'
import type { Host } from '../../host/host.js'
import { type Caller, isTheirs } from '../gate.js'
import { belongsHere } from '../run-api/runs-of-caller.js'

export const unknownResponse = (): HostError =>
  new HostError('response-unknown', 'There is no such response, or it is not yours to see.')

/** @throws HostError `response-unknown` for a run of somebody else, or of another folder, as for none */
export function ownRun(host: Host, caller: Caller, runId: RunId): RunSummary {
  const run = host.store.runs.get(runId)
  if (run !== undefined && isTheirs(caller, run) && belongsHere(host, run)) return run
  throw unknownResponse()
}
