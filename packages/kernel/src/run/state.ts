import type { ContentBlock, ToolCallBlock, TurnBlock } from '../content/block.js'
import type { CallId, RequestId, ScopeId, TurnId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import type { UserMessage } from '../content/message.js'
import type { ErrorRecord } from '../errors/error-table.js'
import type { Finish, Usage } from '../ports/model.js'
import type { Outcome, Proposal, Purpose } from './events.js'

export type TurnState = {
  readonly turnId: TurnId
  readonly scope: ScopeId
  readonly purpose: Purpose
  readonly blocks: TurnBlock[]
  readonly calls: CallId[]
  outcome: 'open' | 'finished' | 'failed' | 'interrupted'
  finish: Finish | undefined
  error: ErrorRecord | undefined
  usage: Usage | null
  cost: number
  readonly beganAt: number
  endedAt: number
}

export type CallState = {
  readonly proposal: Proposal
  readonly turnId: TurnId
  phase: 'proposed' | 'begun' | 'settled'
  args: JsonObject
  approved: boolean
  attempts: number
  handle: Json | undefined
  outcome: Outcome | undefined
  content: readonly ContentBlock[]
  value: Json | undefined
  valueArtifact: string | undefined
  error: ErrorRecord | undefined
  beganAt: number
  endedAt: number
}

/** A tool-call block of a turn, with what it waits for. Kept by the fold, so that a planner's step costs the same always. */
export type StepState = {
  readonly callId: CallId
  readonly block: ToolCallBlock
  readonly turnId: TurnId
  readonly scope: ScopeId
  readonly refs: readonly CallId[]
}

export type ScopeState = {
  readonly parent: ScopeId
  readonly goal: UserMessage
  closed: readonly ContentBlock[] | undefined
  outcome: 'finished' | 'failed' | undefined
}

export type OpenInput = { readonly requestId: RequestId; readonly callId: CallId }

/** The fold of a run's events. */
export class RunState {}
