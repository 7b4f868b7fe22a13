import type { Finish, JsonObject, ToolDefinition } from '@tenon/kernel'
import type { OfferedTools } from './offered-tools.js'
import type { ReadTurn } from './read-turn.js'

/** A piece of an output that is surely a thought or surely an answer. For display; the whole turn is read at its end. */
export type TurnDelta = { readonly block: 'reasoning' | 'text'; readonly text: string }

/** Watches an output while it comes. It may hold text back, but never says what the whole turn would take back. */
export interface TurnWatcher {
  push(chunk: string): readonly TurnDelta[]
  /** True when whatever follows would be discarded: generation can stop. */
  readonly done: boolean
}

/** A call in the host's words, as it is written into a history. */
export type WrittenCall = {
  readonly name: string
  readonly args: JsonObject
  /** What the model wrote in its place, where that could not be read. */
  readonly written?: string
}

/** A way of calling tools in plain text. */
export type PromptedDialect = {
  readonly name: 'react-text' | 'react-xml' | 'json'
  /** Where a provider should stop: before a result that only the host can know. */
  readonly stop: readonly string[]
  /** Its turns hold the thought that led to them; else a thought of an earlier turn is not shown again. */
  readonly keepsThoughts: boolean
  /** What the model is told: the tools, the form, examples made from them. */
  instructions(tools: readonly ToolDefinition[]): string
  writeTurn(thought: string | null, calls: readonly WrittenCall[], answer: string | null): string
  writeObservation(tool: string, text: string, isError: boolean): string
  read(text: string, tools: OfferedTools, finish: Finish): ReadTurn
  watch(): TurnWatcher
}
