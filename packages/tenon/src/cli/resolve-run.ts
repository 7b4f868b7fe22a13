import { KernelError, type RunId, type RunStateName } from '@tenon/kernel'
import type { RunSummary, Store } from '@tenon/store'
import { HostError } from '../errors.js'

/** What stands before the sortable part of a run's id. */
const PREFIX = 'run_'

/** Runs that something can still be done about. */
export const UNFINISHED: readonly RunStateName[] = ['submitted', 'working', 'input-required', 'auth-required']
/** Runs that wait for people. */
export const WAITING: readonly RunStateName[] = ['input-required', 'auth-required']

/**
 * The run that somebody means by an id, the beginning of one, or `last`: the newest run of its own, of those in
 * `preferred` states if there is one.
 * @throws KernelError `run-unknown`; HostError `run-ambiguous` with the candidates
 */
export function resolveRun(store: Store, written: string, preferred: readonly RunStateName[] = []): RunSummary {
  if (written === 'last') {
    const [fits] = preferred.length === 0 ? [] : store.runs.list({ parent: null, state: preferred, limit: 1 }).runs
    const last = fits ?? store.runs.list({ parent: null, limit: 1 }).runs[0]
    if (last === undefined)
      throw new KernelError('run-unknown', 'There is no run in this store yet. Start one: tenon run "…"')
    return last
  }
  const exact = store.runs.get(written as RunId) ?? store.runs.get(`${PREFIX}${written}` as RunId)
  if (exact !== undefined) return exact
  const found = beginningWith(store, written)
  const [one, another] = found
  if (one === undefined)
    throw new KernelError(
      'run-unknown',
      `No run begins with "${written}" in ${store.file}. tenon runs list shows what there is.`,
    )
  if (another === undefined) return one
  const candidates = found.map((run) => `  ${run.runId}  ${run.state}  ${run.goal.slice(0, 60)}`)
  throw new HostError('run-ambiguous', `Several runs begin with "${written}":\n${candidates.join('\n')}`, {
    detail: { candidates: found.map((run) => run.runId) },
  })
}

/** The run that a sub-run was started for in the end: that one is driven, and asks what its sub-runs ask. */
export function rootOf(store: Store, run: RunSummary): RunSummary {
  let root = run
  for (let depth = 0; depth < 64 && root.parent !== undefined; depth++) root = store.runs.get(root.parent) ?? root
  return root
}

const ENOUGH = 6

function beginningWith(store: Store, written: string): RunSummary[] {
  const found: RunSummary[] = []
  let before: string | undefined
  do {
    const page = store.runs.list({ limit: 1000, ...(before === undefined ? {} : { before }) })
    for (const run of page.runs)
      if (run.runId.startsWith(written) || run.runId.startsWith(`${PREFIX}${written}`)) found.push(run)
    before = page.older
  } while (before !== undefined && found.length < ENOUGH)
  return found.slice(0, ENOUGH)
}
