import type { ArgumentPattern } from '../broker/argument-pattern.js'
import type { ContentBlock } from '../content/block.js'
import type { CallId, RunId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import type { Provenance, Trust } from '../content/provenance.js'
import type { ErrorRecord } from '../errors/error-table.js'
import type { Amounts } from '../run/amounts.js'
import type { MaybePromise } from './maybe-promise.js'
import type { Schema } from './schema.js'

/** What repeating a call would do. An undeclared effect counts as `once`. */
export type Effect = 'pure' | 'idempotent' | 'once'

/** Which hand executes the tool, and whose it is: the server, skill, peer or agent. */
export type Origin = { readonly kind: 'function' | 'mcp' | 'skill' | 'peer' | 'run'; readonly name: string }

/** Something that a hand needs from a person or a caller before it can go on. */
export type InputNeed = {
  /** Names the need within the call. Asking again with the same key changes nothing. */
  readonly key: string
  readonly kind: 'approval' | 'question' | 'auth'
  readonly prompt: string
  /** The shape of the answer, where it is more than text. */
  readonly schema?: JsonObject
  /** The hand's own token: given back with the answer. */
  readonly resume: Json
  /** Only those who run the agent may be asked, as with an approval: never a caller from outside. */
  readonly forHost?: true
  /** Where the need stands if it is not the call's own: a sub-run's or a peer's request. */
  readonly via?: { readonly runId?: RunId; readonly requestId?: string; readonly peer?: string }
}

export type NeedAnswer = { readonly key: string; readonly resume: Json; readonly answer: Json }

/** What a hand reports. A generator that needs input yields it and returns; it is entered again with the answers. */
export type HandEvent =
  /** A durable handle: journalled before the hand goes on, given back after a restart. */
  | { readonly kind: 'handle'; readonly handle: Json }
  | { readonly kind: 'needs-input'; readonly needs: readonly InputNeed[] }
  /**
   * Consent for later calls of this run, which the hand had from a person or from what a person trusts. It is journalled
   * as a grant, bound to the tool as it is now; a policy that denies still wins.
   */
  | HandGrant
  /** A need that was answered or dropped elsewhere. */
  | { readonly kind: 'input-withdrawn'; readonly key: string }
  /** What was used so far; the last word counts, also when the call fails. A result may say it too. */
  | { readonly kind: 'spent'; readonly spent: Amounts }
  /** For those who watch; not journalled. */
  | { readonly kind: 'progress'; readonly message?: string; readonly done?: number; readonly total?: number }
  | HandResult

export type HandGrant = {
  readonly kind: 'grant'
  /** One of the agent's tools; another name changes nothing. */
  readonly tool: string
  readonly pattern?: ArgumentPattern
}

export type HandResult = {
  readonly kind: 'result'
  readonly content: readonly ContentBlock[]
  /** The full result as data: what references and programs read. */
  readonly value?: Json
  readonly isError?: boolean
  /** With `isError`: why, for programs. `content` is what the model reads. */
  readonly error?: ErrorRecord
  /** Where the content came from, when it is not simply the tool's. */
  readonly provenance?: Provenance
  /** US dollars that the call cost. */
  readonly cost?: number
  /** What a sub-run or a peer used, of what the run's limits are about; its money is not also in `cost`. */
  readonly spent?: Amounts
  /** The work goes on and somebody joins it later: what was set aside for it stays set aside. */
  readonly goesOn?: true
  /** The call whose work this one joined and saw the end of. */
  readonly settles?: CallId
}

export type CallContext = {
  readonly runId: RunId
  readonly callId: CallId
  /** The same for every attempt at this effect, across restarts and replacements. */
  readonly key: string
  /** 1 the first time; more when the call was begun before and is entered again. */
  readonly attempt: number
  readonly signal: AbortSignal
  /** The handle that an earlier attempt reported. */
  readonly handle: Json | undefined
  /** What the call may use, of what the run's limits are about. Undefined where nothing bounds it. */
  readonly budget: Amounts | undefined
  /** Characters of text that the view has room for; a longer output is kept as an artifact. Undefined: no bound is known. */
  readonly room?: number
  /** Answers that came in since the hand last ran; those that it was given then, if none did. */
  readonly answers: readonly NeedAnswer[]
  /** Tells those who watch; may be called at any time, costs nothing when nobody does. */
  progress(message: string, done?: number, total?: number): void
}

/**
 * A capability that a model may propose to use. `run` may answer at once, by promise, or as a stream of hand events;
 * what it throws becomes an observation with everything private taken out.
 */
export type Tool = {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly input: Schema
  readonly output?: Schema
  readonly effect: Effect
  /** Where the arguments settle the effect more closely: `effect` then stands for the most that a call can do. */
  effectOf?(args: JsonObject): Effect
  readonly origin: Origin
  /** How far its output may be believed. `untrusted` if absent. */
  readonly trust?: Trust
  /** The effect leaves the machine or the workspace: policy may ask once untrusted text is in the view. */
  readonly outward?: boolean
  /** What it brings is what the model works by: never taken out to make room, and bounded only when it is very large. */
  readonly keep?: true
  /** Its calls start others that use tokens, money and calls: a share of the run's limits is set aside for each. */
  readonly spends?: true
  /** How many calls of this tool may run at once; 1 is serial. Unlimited within the run's bound if absent. */
  readonly concurrency?: number
  /** Milliseconds without progress after which the call is stopped. */
  readonly timeoutMs?: number
  run(args: JsonObject, context: CallContext): MaybePromise<HandResult> | AsyncIterable<HandEvent>
  /**
   * Stops what went on after a call with this handle had settled with `goesOn`: its run is about to end and nobody has
   * joined it. May be called again, by another process; what it throws changes nothing.
   */
  stop?(handle: Json): PromiseLike<unknown>
}
