import type { Json, JsonObject } from '@tenon/kernel'
import type { CallDraft } from '../wire/call-draft.js'
import type { DetailDraft } from './reasoning-details.js'

/** Where a thought came from; the earlier of the list goes before the later. */
export type ReasoningSource = 'reasoning_details' | 'reasoning_content' | 'reasoning'

/** What a chat answer is made of while it arrives, in the order in which the pieces began. */
export type ChatPiece =
  | { readonly kind: 'text'; text: string; readonly citations: Json[]; extra?: JsonObject; live?: number }
  | { readonly kind: 'refusal'; text: string; live?: number }
  | {
      readonly kind: 'reasoning'
      readonly source: ReasoningSource
      text: string
      readonly detail?: DetailDraft
      live?: number
    }
  /** Thoughts that stand among the parts of the content. */
  | { readonly kind: 'thinking-parts'; text: string; parts: readonly JsonObject[]; live?: number }
  | { readonly kind: 'call'; readonly draft: CallDraft; live?: number }
  | { readonly kind: 'audio'; audio: JsonObject; readonly data: string[]; live?: number }
