import type { RunId } from '../content/ids.js'
import type { JsonObject } from '../content/json.js'
import { KernelError } from '../errors/kernel-errors.js'
import type { RunEvent, RunEventBody } from '../run/events.js'
import { CONSENT, RunState } from '../run/state.js'

/** Whose the fork is and what its face keeps; what it does not say stays as it was. */
export type ForkOptions = { readonly runId?: RunId; readonly principal?: string; readonly metadata?: JsonObject }

/**
 * The journal of a run that begins as another one stood after `seq`: the same events, so that its views are the same
 * byte for byte, then `run-forked`. A deadline and a parent stay with the other run. Consent that was given or asked
 * for there is not this run's: what it still wants to do is asked for again.
 *
 * @param events The other run's, from the first one.
 * @throws KernelError `fork-invalid` when the other run does not reach `seq`, or had ended by then
 */
export function forkedEvents(
  events: readonly RunEvent[],
  from: { readonly runId: RunId; readonly seq: number },
  now: number,
  { principal, metadata }: ForkOptions,
): RunEvent[] {
  const [first, ...rest] = events.slice(0, from.seq)
  const last = events.at(-1)
  const isPlace = Number.isInteger(from.seq) && from.seq >= 1 && from.seq <= events.length
  if (first?.kind !== 'run-submitted' || last === undefined || !isPlace)
    throw new KernelError('fork-invalid', `The run has no event ${from.seq}. It can be forked from 1 to ${last?.seq}.`)
  if (events[from.seq - 1]?.kind === 'run-ended')
    throw new KernelError('fork-invalid', `The run ended with event ${from.seq}. Fork it from an earlier one.`)
  const { parent: _, deadline: __, ...submission } = first
  const forked: RunEvent[] = [
    {
      ...submission,
      depth: 0,
      ...(principal === undefined ? {} : { principal }),
      ...(metadata === undefined ? {} : { metadata }),
    },
    ...rest,
  ]
  const add = (body: RunEventBody): void => void forked.push({ ...body, seq: forked.length + 1, at: now })
  add({ kind: 'run-forked', from })
  for (const { requestId, key } of RunState.of(forked).inputs.values())
    if (key === CONSENT) add({ kind: 'input-answered', requestId, answer: null, how: 'withdrawn' })
  return forked
}
