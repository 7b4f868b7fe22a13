import type { ContentBlock } from '../content/block.js'
import type { CallId, ScopeId } from '../content/ids.js'
import type { JsonObject } from '../content/json.js'
import type { UserMessage } from '../content/message.js'
import type { ToolChoice } from '../ports/model.js'
import type { Purpose } from '../run/events.js'
import type { RunState } from '../run/state.js'

/** Which part of a run a model is shown, and what it may do. */
export type ViewSpec = {
  /** Whose history. The command's scope if absent. */
  readonly history?: 'scope' | 'goal-only'
  /** Names of tools to offer; all if absent, none if empty. */
  readonly tools?: readonly string[]
  readonly toolChoice?: ToolChoice
  /** A last word from the host, shown once and kept nowhere. */
  readonly reminder?: string
  /** Results to show beside the history, each under its call. */
  readonly results?: readonly CallId[]
  readonly output?: { readonly name: string; readonly schema: JsonObject }
}

/** What a planner wants done next. The engine decides whether, and how. */
export type Command =
  | {
      readonly kind: 'ask'
      readonly scope: ScopeId
      readonly purpose: Purpose
      readonly view?: ViewSpec
      /** Calls of the turn may refer to each other's results. */
      readonly references?: true
    }
  /** Run a ready step. */
  | { readonly kind: 'call'; readonly callId: CallId }
  | { readonly kind: 'skip'; readonly callId: CallId; readonly reason: string }
  | { readonly kind: 'cancel'; readonly callId: CallId; readonly reason: string }
  /** A turn that the host writes: a plan of a person, a skill or a configuration. */
  | { readonly kind: 'write'; readonly scope: ScopeId; readonly purpose: Purpose; readonly blocks: readonly HostStep[] }
  | { readonly kind: 'tell'; readonly scope: ScopeId; readonly message: UserMessage }
  | { readonly kind: 'open'; readonly scope: ScopeId; readonly parent: ScopeId; readonly goal: UserMessage }
  | {
      readonly kind: 'close'
      readonly scope: ScopeId
      readonly outcome: 'finished' | 'failed'
      readonly blocks: readonly ContentBlock[]
    }
  | { readonly kind: 'finish'; readonly blocks: readonly ContentBlock[] }
  /** `blocks`: what there is of an answer all the same. */
  | {
      readonly kind: 'fail'
      readonly code: string
      readonly message: string
      readonly blocks?: readonly ContentBlock[]
    }
  /** The agent declines the goal. `message` is for whoever set it. */
  | { readonly kind: 'reject'; readonly message: string }

export type HostStep = {
  readonly tool: string
  readonly args: JsonObject
  readonly alias?: string
  readonly replaces?: CallId
}

/**
 * Decides what a run does next, as a pure function of the run so far: no state, no I/O, no promise. It is asked again
 * after every event; an empty answer means "wait for what is in flight". Its name and version stand in the journal.
 */
export interface Planner {
  readonly name: string
  readonly version: number
  next(run: RunState): readonly Command[]
}
