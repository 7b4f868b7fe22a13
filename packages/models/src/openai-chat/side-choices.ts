import type { Json, JsonObject } from '@tenon/kernel'
import type { CallDraft } from '../wire/call-draft.js'
import type { Diagnostic } from '../wire/diagnostic.js'
import type { ToolNames } from '../wire/tool-names.js'
import { ToolFragments } from './tool-fragments.js'

type SideChoice = { readonly calls: ToolFragments; readonly reports: Set<Diagnostic>; hasMore: boolean }

/** Fields of a message in which another choice says something of its own. */
const SAYING = ['content', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_details'] as const

/** The choices beside the one that counts. Their calls are kept in case the first has none. */
export class SideChoices {
  readonly #tools: ToolNames
  readonly #choices = new Map<number, SideChoice>()

  constructor(tools: ToolNames) {
    this.#tools = tools
  }

  add(index: number, message: JsonObject, isWhole: boolean): void {
    const side = this.#at(index)
    if (Array.isArray(message.tool_calls)) for (const call of message.tool_calls) side.calls.add(call as Json, isWhole)
    side.calls.addLegacy(message.function_call)
    const says = (value: Json | undefined) => (typeof value === 'string' || Array.isArray(value)) && value.length > 0
    if (SAYING.some((field) => says(message[field]))) side.hasMore = true
  }

  /** The calls of the first choice that has some, where they are wanted. All that is passed over is told. */
  settle(wanted: boolean, report: (diagnostic: Diagnostic) => void): readonly CallDraft[] {
    let adopted: readonly CallDraft[] = []
    for (const [, side] of [...this.#choices].sort(([a], [b]) => a - b)) {
      const { calls } = side.calls
      const isAdopted = wanted && adopted.length === 0 && calls.length > 0
      if (isAdopted) {
        adopted = calls
        report('choices-merged')
        for (const diagnostic of side.reports) report(diagnostic)
      }
      if (side.hasMore || (!isAdopted && calls.length > 0)) report('choices-ignored')
    }
    return adopted
  }

  #at(index: number): SideChoice {
    let side = this.#choices.get(index)
    if (side === undefined) {
      const reports = new Set<Diagnostic>()
      const silent = { began: () => undefined, grew: () => undefined }
      const calls = new ToolFragments(this.#tools, (diagnostic) => reports.add(diagnostic), silent)
      side = { calls, reports, hasMore: false }
      this.#choices.set(index, side)
    }
    return side
  }
}
