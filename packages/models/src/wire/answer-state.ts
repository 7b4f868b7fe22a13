import type { Author, Finish, Json, JsonObject, ModelEvent, Usage } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import type { Diagnostic } from './diagnostic.js'
import type { ToolNames } from './tool-names.js'
import { mergeUsage } from './usage-report.js'

/** What a dialect has to know of the request to read its answer. */
export type AnswerContext = {
  readonly author: Author
  readonly tools: ToolNames
  /** How tags around thoughts are read, where the dialect knows them. */
  readonly thinkTags: 'leading' | 'template' | 'off'
}

/** How the reading ended: the answer was whole, its stream ended, or something failed in the middle. */
export type Ending = 'whole' | 'stream-end' | 'failed'

/** Reads one answer of a dialect. It is told events or a whole body, and then once how it ended. */
export interface AnswerReader {
  readonly state: AnswerState
  /** One event of a stream. `name` is its `event:`, for data that has no type of its own. */
  event(data: JsonObject, name: string): void
  /** A whole JSON answer. False if it is none. */
  body(data: JsonObject): boolean
  /** Closes all blocks. `truncated` where the stream ended without an end. */
  finish(ending: Ending): Finish
}

/** What every dialect gathers while it reads. */
export class AnswerState {
  /** Filled by the reader, drained by whoever drives it. */
  readonly events: ModelEvent[] = []
  readonly diagnostics = new Set<Diagnostic>()
  /** Call ids of this turn. */
  readonly callIds = new Set<string>()
  /** Something came that the user or the run is nearer to its end by. Cleared by whoever looks at it. */
  progressed = false
  /** `[DONE]` or its like was read: the writer was through. */
  done = false
  word: string | undefined
  servedBy: string | undefined
  /** The error that ended the answer, in the provider's own form. */
  failure: Json | undefined
  #usage: JsonObject | undefined

  readonly report = (diagnostic: Diagnostic): void => {
    this.diagnostics.add(diagnostic)
  }

  finishWord(word: Json | undefined): void {
    if (typeof word !== 'string' || word === '') return
    this.progressed = true
    if (this.word === undefined) this.word = word
    else this.report('finish-repeated')
  }

  usageReport(report: Json | undefined): void {
    if (!isJsonObject(report)) return
    this.#usage = this.#usage === undefined ? report : mergeUsage(this.#usage, report)
  }

  get usage(): JsonObject | undefined {
    return this.#usage
  }

  model(name: Json | undefined): void {
    if (typeof name === 'string' && name !== '') this.servedBy ??= name
  }
}

export type ReadUsage = (state: AnswerState) => Usage | null
