import type { ModelBlock } from '../content/block.js'
import type { CallId, RunId, ScopeId, TurnId } from '../content/ids.js'
import type { RunEvent } from '../run/events.js'

/**
 * What somebody who follows a run gets: every journal event once and in order, and between them, while the run is
 * driven in this process, what is not worth keeping. Only `event` items are a point to resume from.
 */
export type LiveItem =
  | { readonly kind: 'event'; readonly runId: RunId; readonly event: RunEvent }
  | {
      readonly kind: 'block-began'
      readonly runId: RunId
      readonly turnId: TurnId
      readonly scope: ScopeId
      readonly index: number
      readonly block: ModelBlock['kind']
      readonly name?: string
    }
  | {
      readonly kind: 'delta'
      readonly runId: RunId
      readonly turnId: TurnId
      readonly index: number
      readonly block: ModelBlock['kind']
      readonly text: string
    }
  | {
      readonly kind: 'progress'
      readonly runId: RunId
      readonly callId: CallId
      readonly message?: string
      readonly done?: number
      readonly total?: number
    }
  /** A failed attempt at the model is tried again after `afterMs`. */
  | {
      readonly kind: 'retrying'
      readonly runId: RunId
      readonly turnId: TurnId
      readonly code: string
      readonly message: string
      readonly attempt: number
      readonly afterMs: number
    }
