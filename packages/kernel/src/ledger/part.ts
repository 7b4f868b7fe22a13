import type { CallId } from '../content/ids.js'
import type { Json } from '../content/json.js'
import type { Provenance, Trust } from '../content/provenance.js'
import type { ToolDefinition } from '../ports/model.js'

/**
 * What a view is made of, in the order in which it stands there. The first group is frozen and opens every request,
 * so that provider caches hit; the second grows at its end; a `reminder` comes last and is never kept.
 */
export type PartKind =
  | 'system-prompt'
  | 'instructions'
  | 'tool-definitions'
  | 'examples'
  | 'memory'
  | 'knowledge'
  | 'prompt'
  | 'history'
  | 'scratchpad'
  | 'tool-outputs'
  | 'sub-agent-outputs'
  | 'artifacts'
  | 'reminder'

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

/** One line of what the model saw. `digest` of grown parts is a rolling one over everything in it. */
export type ManifestEntry = {
  readonly partId: string
  readonly kind: PartKind
  readonly tokens: number
  readonly digest: string
  /** How many messages, blocks or tools it holds. */
  readonly count: number
  /** The least trust of anything in it. */
  readonly trust: Trust
  /** Tokens that it may take of the window, at most. */
  readonly share: number
}

/** What the model saw at a turn: by part and digest, with the estimate of tokens. The text is a fold of the journal. */
export type ViewManifest = {
  readonly parts: readonly ManifestEntry[]
  /** Messages of the scope's history that were sent. */
  readonly messages: number
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
