import type { ArgumentPattern } from '../broker/argument-pattern.js'
import type { ContentBlock, TurnBlock } from '../content/block.js'
import type { CallId, ContextId, RequestId, RunId, ScopeId, TurnId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import type { UserMessage } from '../content/message.js'
import type { Provenance } from '../content/provenance.js'
import type { ErrorRecord } from '../errors/error-table.js'
import type { PartRecord, Rewrite, ViewManifest } from '../ledger/part.js'
import type { Finish, ToolChoice, Usage } from '../ports/model.js'
import type { Effect, Origin } from '../ports/tool.js'
import type { Amounts } from './amounts.js'

/** The A2A states and no others. Terminal states never change. */
export type RunStateName =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'auth-required'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'rejected'

export type TerminalState = Extract<RunStateName, 'completed' | 'failed' | 'canceled' | 'rejected'>

/** Bounds of one run; calls, tokens and money count those of its sub-runs too. Absent means unbounded, except `steps`. */
export type Limits = {
  /** Turns. 100 if absent. */
  readonly steps?: number
  readonly calls?: number
  /** Input and output tokens of all turns, cached ones included. */
  readonly tokens?: number
  /** US dollars. */
  readonly money?: number
  /** Milliseconds in which the run worked; time parked on a person does not count. */
  readonly wallMs?: number
}

/** Why a model is asked. A planner's own word; the usual ones are `act`, `plan`, `replan`, `join`. */
export type Purpose = string

export type Outcome = 'finished' | 'failed' | 'denied' | 'in-doubt' | 'skipped' | 'canceled'

/** A call that a planner has decided on, with everything that decisions about it are bound to. */
export type Proposal = {
  readonly callId: CallId
  readonly scope: ScopeId
  /** The tool's name after normalising, or as written where no tool fits. */
  readonly tool: string
  /** Resolved: references are replaced by values. */
  readonly args: JsonObject
  /** Calls whose results the arguments hold. */
  readonly refs: readonly CallId[]
  /** Digest of the tool's definition at this moment; empty for an unknown tool. */
  readonly toolDigest: string
  readonly origin: Origin | null
  readonly effect: Effect
  /** The idempotency key: the same along a chain of replacements with equal tool and arguments. */
  readonly key: string
  readonly replaces?: CallId
  /** Lossless repairs of name and arguments, by name. */
  readonly repairs?: readonly string[]
  /** The least trust of what the arguments refer to and of what is in the view. */
  readonly provenance: Provenance
}

export type InputKind = 'approval' | 'question' | 'auth'

/** A question that the run waits on, answered by id, in any order, from any face. */
export type InputRequest = {
  readonly requestId: RequestId
  readonly kind: InputKind
  readonly callId: CallId
  /** The hand's name for the need; for a consent of the broker `consent`. */
  readonly key: string
  readonly prompt: string
  readonly schema?: JsonObject
  /** For an approval: digest of tool definition, origin, canonical arguments, call id and run. */
  readonly binding: string
  readonly resume: Json
  /** Only those who run the agent may be asked, as with an approval: never a caller from outside. */
  readonly forHost?: true
  /** Where the need stands if it is passed up from a sub-run or a peer. */
  readonly via?: { readonly runId?: RunId; readonly requestId?: string; readonly peer?: string }
  /** Why the broker asks, in words for a person. */
  readonly reason?: string
  /** Epoch milliseconds after which no answer is taken and the need counts as denied. */
  readonly expiresAt?: number
}

/** An answer to an approval. Anything else is an answer to a question, in the shape that was asked for. */
export type ApprovalAnswer =
  | {
      readonly kind: 'approve'
      /** How long it holds: this call (the default), this run, or until taken back. */
      readonly remember?: 'run' | 'always'
      /** Epoch milliseconds at which a remembered consent ends. */
      readonly until?: number
      /** Argument pattern that a remembered grant is limited to. Any arguments if absent. */
      readonly pattern?: ArgumentPattern
      /** The person's own arguments instead of the model's. */
      readonly args?: JsonObject
    }
  | { readonly kind: 'deny'; readonly reason?: string }

/** A remembered consent. It ends with its scope, at `expiresAt`, or when the tool's definition changes. */
export type Grant = {
  readonly grantId: string
  readonly tool: string
  readonly origin: Origin
  readonly toolDigest: string
  readonly scope: 'run' | 'always'
  readonly pattern?: ArgumentPattern
  readonly expiresAt?: number
  readonly grantedBy: string
}

export type Submission = {
  readonly agent: string
  readonly goal: UserMessage
  readonly contextId: ContextId
  readonly parent?: { readonly runId: RunId; readonly callId: CallId }
  /** Sub-runs deeper than the host allows are rejected. 0 for a run of its own. */
  readonly depth: number
  readonly planner: { readonly name: string; readonly version: number }
  readonly limits: Limits
  /** Epoch milliseconds. */
  readonly deadline?: number
  /** Whose run it is: decides what may be seen and remembered. */
  readonly principal?: string
  /** Whatever the face wants to find again. */
  readonly metadata?: JsonObject
}

type Body =
  | ({ readonly kind: 'run-submitted' } & Submission)
  /** A frozen part of the view was set or replaced: system prompt, tool definitions, instructions. */
  | { readonly kind: 'part-set'; readonly part: PartRecord }
  | {
      readonly kind: 'message-received'
      readonly message: UserMessage
      readonly scope: ScopeId
      readonly by?: string
      /** The inbox item that it came in, so that a second delivery changes nothing. */
      readonly messageId?: string
    }
  | {
      readonly kind: 'turn-began'
      readonly turnId: TurnId
      readonly scope: ScopeId
      readonly purpose: Purpose
      readonly model: { readonly provider: string; readonly model: string }
      readonly toolChoice?: ToolChoice
      /** Arguments of this turn's calls may hold references to other steps. */
      readonly references?: true
      readonly view: ViewManifest
    }
  /** A finished block is a conclusion; deltas are not events. */
  | { readonly kind: 'block-ended'; readonly turnId: TurnId; readonly index: number; readonly block: TurnBlock }
  | {
      readonly kind: 'turn-ended'
      readonly turnId: TurnId
      readonly outcome: 'finished' | 'failed' | 'interrupted'
      readonly finish?: Finish
      readonly error?: ErrorRecord
      readonly usage: Usage | null
      /** US dollars, where prices are known. */
      readonly cost?: number
      readonly diagnostics?: readonly string[]
      readonly servedBy?: string
    }
  | { readonly kind: 'output-rejected'; readonly turnId: TurnId; readonly problems: readonly string[] }
  | { readonly kind: 'scope-opened'; readonly scope: ScopeId; readonly parent: ScopeId; readonly goal: UserMessage }
  | {
      readonly kind: 'scope-closed'
      readonly scope: ScopeId
      readonly outcome: 'finished' | 'failed'
      readonly blocks: readonly ContentBlock[]
    }
  | { readonly kind: 'call-proposed'; readonly call: Proposal }
  /** The person who approved gave other arguments. */
  | { readonly kind: 'call-amended'; readonly callId: CallId; readonly args: JsonObject; readonly by?: string }
  | {
      readonly kind: 'call-begun'
      readonly callId: CallId
      readonly effect: Effect
      readonly key: string
      readonly attempt: number
      /** What is set aside of the run's limits for this call, until it settles. */
      readonly budget?: Amounts
    }
  | { readonly kind: 'call-handle'; readonly callId: CallId; readonly handle: Json }
  | {
      readonly kind: 'call-settled'
      readonly callId: CallId
      readonly outcome: Outcome
      /** What the view shows; bounded. */
      readonly content: readonly ContentBlock[]
      /** The full result as data, bounded into an artifact like everything else: then `valueArtifact` is set instead. */
      readonly value?: Json
      readonly valueArtifact?: string
      readonly error?: ErrorRecord
      readonly provenance: Provenance
      /** US dollars. */
      readonly cost?: number
      /** What a sub-run or a peer used for it, of what limits are about. */
      readonly spent?: Amounts
      /** What was set aside stays so: the work goes on elsewhere, until a call that `settles` this one. */
      readonly goesOn?: true
      /** The call whose work this one joined: what was spent counts once, whoever joins again. */
      readonly settles?: CallId
    }
  | { readonly kind: 'input-requested'; readonly request: InputRequest }
  | {
      readonly kind: 'input-answered'
      readonly requestId: RequestId
      readonly answer: Json
      readonly by?: string
      /** What was consented to, where the person changed the arguments. */
      readonly binding?: string
      /** `withdrawn`: answered or dropped elsewhere; `expired`: nobody answered in time. */
      readonly how?: 'withdrawn' | 'expired'
      /** Whatever the face wants to find again. */
      readonly metadata?: JsonObject
    }
  | { readonly kind: 'grant-added'; readonly grant: Grant }
  | { readonly kind: 'view-rewritten'; readonly scope: ScopeId; readonly rewrite: Rewrite }
  /** From here on a run of its own; the events before are those of the run that it was taken from. */
  | { readonly kind: 'run-forked'; readonly from: { readonly runId: RunId; readonly seq: number } }
  | { readonly kind: 'cancel-requested'; readonly reason?: string; readonly by?: string }
  | {
      readonly kind: 'run-ended'
      readonly state: TerminalState
      readonly blocks: readonly ContentBlock[]
      /** The typed result, where the agent has an output schema. */
      readonly output?: Json
      readonly error?: ErrorRecord
    }

/** What a driver decides; the engine adds place and time, for which the most frequent ones leave room: it is cheaper. */
export type RunEventBody = Body & { readonly seq?: 0; readonly at?: 0 }

/** The journal's alphabet: a run is a fold over these. `seq` counts from 1 without gaps; `at` is epoch milliseconds. */
export type RunEvent = { readonly seq: number; readonly at: number } & Body

export type RunEventOf<Kind extends RunEvent['kind']> = Extract<RunEvent, { readonly kind: Kind }>
