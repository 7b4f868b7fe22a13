import { isJsonObject, type Json } from '@tenon/kernel'

/** What of a delegation must outlive our process. In the journal before anything waits for the task. */
export type DelegationHandle = {
  readonly peer: string
  readonly taskId: string
  readonly contextId: string
  /** Milliseconds of the peer's work that are left, as of `at` (epoch milliseconds); time that people take is not counted. */
  readonly leftMs: number
  readonly at: number
  /** Questions that were answered: a peer that tells them again is not asking again. */
  readonly answered: readonly string[]
  /** The question that is open. */
  readonly asked?: string
  /** The question whose answer is on its way; whether it arrived is not known yet. */
  readonly answering?: string
}

export function readDelegationHandle(json: Json | undefined): DelegationHandle | undefined {
  if (!isJsonObject(json)) return undefined
  const { peer, taskId, contextId, leftMs, at, answered, answering, asked } = json
  if (typeof peer !== 'string' || typeof taskId !== 'string' || typeof leftMs !== 'number') return undefined
  return {
    peer,
    taskId,
    contextId: typeof contextId === 'string' ? contextId : '',
    leftMs,
    at: typeof at === 'number' ? at : 0,
    answered: Array.isArray(answered) ? (answered as readonly Json[]).filter((one) => typeof one === 'string') : [],
    ...(typeof asked === 'string' ? { asked } : {}),
    ...(typeof answering === 'string' ? { answering } : {}),
  }
}

export const handleJson = (handle: DelegationHandle): Json => ({ ...handle, answered: [...handle.answered] })
