import type { Author, ModelBlock, TextBlock } from '../content/block.js'
import type { Json, JsonObject } from '../content/json.js'
import type { Message } from '../content/message.js'
import type { ErrorRecord } from '../errors/error-table.js'

/** A tool as a model is told about it. `name` is the host's; a dialect escapes it where its wire forbids it, reversibly. */
export type ToolDefinition = { readonly name: string; readonly description: string; readonly input: JsonObject }

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export type ModelSettings = {
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly stop?: readonly string[]
  readonly reasoning?: 'off' | 'low' | 'medium' | 'high'
  readonly parallelCalls?: boolean
}

/** One request to a model, in the host's own words. Dialects turn it into their wire form and nothing else does. */
export type ModelRequest = {
  readonly system: readonly TextBlock[]
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  readonly toolChoice: ToolChoice
  /** The shape of the final answer, where the provider can be held to it. */
  readonly output?: { readonly name: string; readonly schema: JsonObject }
  readonly settings: ModelSettings
  /** Stable for the life of a run: a provider may use it to find its prompt cache. */
  readonly cacheKey?: string
}

/**
 * Tokens, in disjoint counters: `input` was neither read from nor written to a cache;
 * input + cachedInput + cacheWrite + output is all. `reasoning` is the named part of output, null if none was named.
 */
export type Usage = {
  readonly input: number
  readonly cachedInput: number
  readonly cacheWrite: number
  /** The part of cacheWrite that is kept for an hour. */
  readonly cacheWrite1h?: number
  readonly output: number
  readonly reasoning: number | null
}

export type Finish = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'refusal' | 'paused' | 'error' | 'truncated'

export type ModelEvent =
  /** A block has begun; `name` is a tool's where the block is a call. For display only. */
  | { readonly kind: 'block-began'; readonly index: number; readonly block: ModelBlock['kind']; readonly name?: string }
  /** A piece of text, thought or arguments. For display only: what counts is the finished block. */
  | { readonly kind: 'delta'; readonly index: number; readonly text: string }
  /** The model is at work on something that shows nothing yet, such as a long prompt that it reads: it is not stalled. */
  | { readonly kind: 'progress' }
  | { readonly kind: 'block-ended'; readonly index: number; readonly block: ModelBlock }
  /**
   * Always the last event, exactly once. `error` is set for `error` and `truncated`, and beside `stop` or `length` where
   * the output was neither a call nor an answer: then its message is for the model.
   */
  | {
      readonly kind: 'finished'
      readonly finish: Finish
      readonly usage: Usage | null
      readonly error?: ErrorRecord
      /** Irregularities that were read as something sensible: `tool-id-missing`, `args-repeated`. */
      readonly diagnostics: readonly string[]
      /** The model that the provider says answered. */
      readonly servedBy?: string
      readonly raw?: Json
    }

export type ModelContext = { readonly signal: AbortSignal }

/** US dollars for a million tokens. */
export type Prices = {
  readonly input: number
  readonly output: number
  readonly cachedInput?: number
  readonly cacheWrite?: number
  readonly cacheWrite1h?: number
}

/**
 * A model. `generate` must not throw: whatever goes wrong is told by the `finished` event, and what came before it
 * stays valid. After `signal` aborts the stream ends soon, with or without `finished`.
 */
export interface Model {
  readonly author: Author
  /** Tokens that fit into one request, answer included. */
  readonly contextWindow: number
  readonly prices?: Prices
  /** Said wherever the model is named, when what answers is no language model. */
  readonly disclaimer?: string
  generate(request: ModelRequest, context: ModelContext): AsyncIterable<ModelEvent> | Iterable<ModelEvent>
}
