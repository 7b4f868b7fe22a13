import { principalOf } from '@tenon/a2a'
import { isJsonObject, KernelError, RunId } from '@tenon/kernel'
import type { RunSummary } from '@tenon/store'
import type { Host } from '../../host/host.js'
import { type Caller, isTheirs } from '../gate.js'

/** For filters of the store; absent for somebody who may see everybody's runs. */
export const principalFilter = (caller: Caller): { readonly principal?: string } =>
  caller.scopes.has('runs:any') ? {} : { principal: principalOf(caller) }

/** @throws KernelError `run-unknown` for a run of somebody else as for none */
export function runOfCaller({ store }: Host, caller: Caller, id: string): RunSummary {
  const run = store.runs.get(RunId(id))
  if (run === undefined || !isTheirs(caller, run))
    throw new KernelError('run-unknown', `There is no run ${id}. GET /runs lists those that you may see.`)
  return run
}

const DEEPEST = 64

/**
 * Whether the run belongs to the configuration and the workspace that this host stands on: a store may hold runs of
 * other folders, and those must not go on with agents of the same name from here.
 */
export function belongsHere({ store, metadataOf }: Host, run: RunSummary): boolean {
  let root = run
  for (let depth = 0; depth < DEEPEST && root.parent !== undefined; depth++) root = store.runs.get(root.parent) ?? root
  const [first] = store.journal.load(root.runId, 0, 1)
  const place = first?.kind === 'run-submitted' && isJsonObject(first.metadata) ? first.metadata : {}
  const { config, workspace } = metadataOf('')
  return place.config === config && place.workspace === workspace
}
