import type { CallId } from '../content/ids.js'
import type { Json } from '../content/json.js'
import type { Provenance, Trust } from '../content/provenance.js'
import type { ToolDefinition } from '../ports/model.js'
import type { PartKind } from './part-kind.js'
import type { Shares } from './shares.js'

/** A frozen part as it stands in the journal: `runs show --view` needs nothing else. */
export type PartRecord = {
  /** Stable within the run; setting a part with the same id replaces it. */
  readonly partId: string
  readonly kind: Extract<
    PartKind,
    'system-prompt' | 'instructions' | 'tool-definitions' | 'examples' | 'memory' | 'knowledge'
  >
  readonly provenance: Provenance
  readonly text: string
  readonly tools?: readonly ToolDefinition[]
  readonly digest: string
  readonly tokens: number
  /** Tokens of the text that did not fit into the part's share of the window and were left out at its end. */
  readonly omittedTokens?: number
}

/** A kind of part that grows with a scope's history. */
export type GrownKind = Extract<
  PartKind,
  'prompt' | 'history' | 'scratchpad' | 'tool-outputs' | 'sub-agent-outputs' | 'artifacts'
>

/** What a scope's history holds of one kind. */
export type GrownPart = {
  readonly kind: GrownKind
  readonly tokens: number
  /** How many blocks it holds. */
  readonly count: number
  /** The least trust of anything in it. */
  readonly trust: Trust
}

/**
 * What the model saw at a turn, with the estimate of tokens. Parts and texts are a fold of the journal up to the turn:
 * `manifestEntries` tells them line by line.
 */
export type ViewManifest = {
  /** Tokens that fit into one request of the model. */
  readonly window: number
  /** Where the agent shares the window out in its own way. */
  readonly shares?: Shares
  /** Messages of the scope's history that were sent. */
  readonly messages: number
  /** A rolling one over these messages, 32 bits: it tells the views of a run apart. */
  readonly digest: number
  readonly tokens: number
  /** Text of the reminder, which is not kept anywhere else. */
  readonly reminder?: string
}

/** A change of what the view shows. The original stays in the journal. */
export type Rewrite =
  /** Old observations give way to a line that says so, and to a handle where there is one. */
  | { readonly kind: 'clear'; readonly calls: readonly CallId[]; readonly freedTokens: number }
  | {
      readonly kind: 'offload'
      readonly calls: readonly { readonly callId: CallId; readonly artifactId: string }[]
      readonly freedTokens: number
    }
  /** Messages up to and without `before` give way to a summary. */
  | {
      readonly kind: 'summarise'
      readonly before: number
      readonly summary: string
      readonly provenance: Provenance
      readonly freedTokens: number
      readonly detail?: Json
    }
