import type { ArtifactId, CallId } from './ids.js'
import type { Json, JsonObject } from './json.js'
import type { Provenance } from './provenance.js'

/** Who wrote a block. A raw form goes back only to the dialect and provider that it came from. */
export type Author = { readonly provider: string; readonly model: string; readonly dialect: string }

/** The provider's own form of a block, kept byte for byte where the provider wants it back. */
export type Raw = Json

export type TextBlock = {
  readonly kind: 'text'
  readonly text: string
  /** The model declined; the text says why. */
  readonly refusal?: true
  readonly citations?: readonly Json[]
  readonly author?: Author
  readonly raw?: Raw
}

/** A thought. `seal` says how the provider protects it: a sealed block is sent back whole or not at all, never edited. */
export type ReasoningBlock = {
  readonly kind: 'reasoning'
  readonly text: string
  readonly seal: 'none' | 'signature' | 'encrypted'
  readonly author?: Author
  readonly raw?: Raw
}

/** Why the arguments of a call cannot be used as written. `position` is a UTF-16 offset in the text, where one is known. */
export type ArgumentProblem = { readonly code: string; readonly message: string; readonly position: number | null }

type Called = {
  readonly kind: 'tool-call'
  /** The tool's name as the model wrote it, after the dialect undid its own escaping. */
  readonly name: string
  /** The arguments; `{}` when `problem` says that there are none to be had. */
  readonly args: JsonObject
  /** The arguments as the model wrote them. Sent back unchanged where the provider takes text. */
  readonly argsText?: string
  readonly problem?: ArgumentProblem
  /** Lossless repairs of name and arguments that the dialect made already, by name. */
  readonly repairs?: readonly string[]
  /** What the model calls this step: the provider's call id, or a plan's `1`. References resolve through it. */
  readonly alias?: string
  /** The call that this one stands in for: same tool and arguments keep the first idempotency key. */
  readonly replaces?: CallId
  readonly author?: Author
  readonly raw?: Raw
}

export type ToolCallBlock = Called & { readonly callId: CallId }

/** A call as a model wrote it, before the engine gave it an id. */
export type UnboundCall = Called

export type ToolResultBlock = {
  readonly kind: 'tool-result'
  readonly callId: CallId
  readonly name: string
  readonly content: readonly ContentBlock[]
  readonly isError: boolean
  readonly provenance: Provenance
}

/** Bytes by value, by link or by handle. */
export type MediaSource =
  | { readonly kind: 'data'; readonly base64: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'artifact'; readonly artifactId: ArtifactId }

export type MediaBlock = {
  readonly kind: 'image' | 'audio' | 'file'
  readonly mediaType: string
  readonly source: MediaSource
  readonly name?: string
  readonly author?: Author
  readonly raw?: Raw
}

/** A large output or a deliverable that stays outside the view. */
export type ArtifactBlock = {
  readonly kind: 'artifact'
  readonly artifactId: ArtifactId
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
}

/** A part that only its provider understands: kept for the round trip, shown by its type. */
export type OpaqueBlock = {
  readonly kind: 'opaque'
  readonly type: string
  readonly raw: Raw
  readonly author?: Author
}

/** What people, tools and peers can say. */
export type ContentBlock = TextBlock | MediaBlock | ArtifactBlock

/** What a model can say, before its calls have ids. */
export type ModelBlock = TextBlock | ReasoningBlock | UnboundCall | MediaBlock | OpaqueBlock

/** What a turn is made of. */
export type TurnBlock = TextBlock | ReasoningBlock | ToolCallBlock | MediaBlock | OpaqueBlock

export type Block = TurnBlock | ContentBlock | ToolResultBlock

export const text = (value: string): TextBlock => Object.freeze({ kind: 'text', text: value })

/** The plain text of a list of blocks, one line break between them. */
export function plainText(blocks: readonly Block[]): string {
  const parts: string[] = []
  for (const block of blocks) if (block.kind === 'text') parts.push(block.text)
  return parts.join('\n')
}
