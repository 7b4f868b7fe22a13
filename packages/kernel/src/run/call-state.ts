import type { ContentBlock, ToolCallBlock, TurnBlock } from '../content/block.js'
import type { CallId, ScopeId, TurnId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import type { Provenance } from '../content/provenance.js'
import type { ErrorRecord } from '../errors/error-table.js'
import type { Finish, Usage } from '../ports/model.js'
import type { NeedAnswer } from '../ports/tool.js'
import type { Amounts } from './amounts.js'
import type { Outcome, Proposal, Purpose } from './events.js'

export type TurnState = {
  readonly turnId: TurnId
  readonly scope: ScopeId
  readonly purpose: Purpose
  /** Its calls may refer to each other's results. */
  readonly references: boolean
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

/** proposed → (asked) → begun → (handle)* → (input needed → answered)* → settled. Moved by the fold only. */
export type CallState = {
  readonly proposal: Proposal
  phase: 'proposed' | 'begun' | 'settled'
  /** The arguments that count: the proposal's, or what a person put in their place. */
  args: JsonObject
  /** The binding that a person consented to; it must still be the call's when it begins. */
  approvedBinding: string | undefined
  refusal: { readonly reason: string | undefined; readonly by: string | undefined } | undefined
  attempts: number
  handle: Json | undefined
  /** What was set aside for it when it first began. */
  budget: Amounts | undefined
  /** What a sub-run or a peer used for it. */
  spent: Amounts | undefined
  /** It has settled and its work goes on elsewhere. */
  goesOn: boolean
  /** Open requests of this call. */
  waitingFor: number
  /** Answers that its hand has not been given yet, and those that the last attempt was given. */
  answers: readonly NeedAnswer[]
  delivered: readonly NeedAnswer[]
  outcome: Outcome | undefined
  content: readonly ContentBlock[]
  value: Json | undefined
  valueArtifact: string | undefined
  error: ErrorRecord | undefined
  provenance: Provenance | undefined
  /** US dollars, with what was spent elsewhere. */
  cost: number
  readonly proposedAt: number
  beganAt: number
  endedAt: number
}

/** A finished tool-call block of a turn, with what it waits for. */
export type StepState = {
  readonly callId: CallId
  readonly block: ToolCallBlock
  readonly turnId: TurnId
  readonly scope: ScopeId
  /** Steps whose results the arguments hold. */
  refs: readonly CallId[]
  /** How many of them are still to settle. */
  waiting: number
  /** A dependency that did not finish: this step cannot run. */
  blockedBy: CallId | undefined
  /** A name in the arguments that no step has. */
  unknownRef: string | undefined
  dependents: CallId[]
}

/** A call as it is when it is proposed. */
export function newCall(proposal: Proposal, at: number): CallState {
  return {
    proposal,
    phase: 'proposed',
    args: proposal.args,
    approvedBinding: undefined,
    refusal: undefined,
    attempts: 0,
    handle: undefined,
    budget: undefined,
    spent: undefined,
    goesOn: false,
    waitingFor: 0,
    answers: [],
    delivered: [],
    outcome: undefined,
    content: [],
    value: undefined,
    valueArtifact: undefined,
    error: undefined,
    provenance: undefined,
    cost: 0,
    proposedAt: at,
    beganAt: 0,
    endedAt: 0,
  }
}
