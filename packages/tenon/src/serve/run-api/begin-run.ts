import { createHash } from 'node:crypto'
import { principalOf } from '@tenon/a2a'
import { canonicalJson, isTenonError, type Json, RunId, sortableId } from '@tenon/kernel'
import { HostError } from '../../errors.js'
import type { Host } from '../../host/host.js'
import type { Caller } from '../gate.js'
import { requireRoom } from '../require-room.js'
import type { Reply } from './route.js'

export type Beginning = {
  readonly caller: Caller
  /** The caller's name for the request: repeated with it, it makes no second run. */
  readonly key: string | undefined
  /** Everything that makes the request what it is. */
  readonly request: Json
}

/**
 * Begins a run, once for a key.
 * @param begin makes a run under the id that it is given
 * @throws HostError `key-reused` when the key stands for another request, `too-many-runs`
 */
export async function beginRun(
  host: Host,
  { caller, key, request }: Beginning,
  begin: (runId: RunId) => PromiseLike<unknown>,
): Promise<Reply> {
  const { store, engine } = host
  const mine = RunId(`run_${sortableId()}`)
  const runId = key === undefined ? mine : claimed(store, { caller, key, request }, mine)
  const isThere = runId !== mine && store.runs.get(runId) !== undefined
  if (!isThere) {
    requireRoom(host, principalOf(caller))
    try {
      await begin(runId)
    } catch (error) {
      // The same request, twice at once: the other one has made it.
      if (runId === mine || !isTenonError(error) || error.code !== 'journal-conflict') throw error
    }
  }
  const { state, forkedFrom, submission } = await engine.state(runId)
  return {
    status: isThere ? 200 : 201,
    body: { runId, state, contextId: submission.contextId, ...(forkedFrom === undefined ? {} : { forkedFrom }) },
    headers: { location: `/runs/${runId}` },
  }
}

function claimed(store: Host['store'], { caller, key, request }: Beginning & { key: string }, mine: RunId): RunId {
  const digest = createHash('sha256').update(canonicalJson(request)).digest('hex')
  const { runId, digest: before } = store.sendKeys.claim(`runs ${principalOf(caller)}`, key, { runId: mine, digest })
  if (before === digest) return runId
  throw new HostError('key-reused', 'This Idempotency-Key stands for another request. Use a new one for each request.')
}
