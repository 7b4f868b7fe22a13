import type { Finish } from '@tenon/kernel'
import { fenceClosesAt, trimmed } from '@tenon/kernel'
import type { OfferedTools } from '../offered-tools.js'
import { labelAt } from '../react-text/labels.js'
import type { TurnDraft } from '../read-turn.js'
import type { Tag } from './tags.js'

/** What the parts of the reader share. */
export type XmlTurn = {
  readonly draft: TurnDraft
  readonly tags: readonly Tag[]
  readonly tools: OfferedTools
  readonly finish: Finish
  readonly to: number
  /** A fence was opened around what is read: its closing marks belong to it. */
  readonly fenced: boolean
}

/** The first tag at or behind an offset. */
export function tagFrom(turn: XmlTurn, at: number): Tag | undefined {
  let low = 0
  let high = turn.tags.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((turn.tags[middle]?.at ?? 0) < at) low = middle + 1
    else high = middle
  }
  return turn.tags[low]
}

/** Drops everything from `at` on and names it by what stands first in it. */
export function discard(turn: XmlTurn, at: number): void {
  const { draft } = turn
  let [from] = trimmed(draft.text, at, turn.to)
  if (turn.fenced && fenceClosesAt(draft.text, from, turn.to)) [from] = trimmed(draft.text, from + 3, turn.to)
  if (from >= turn.to) return
  draft.discarded = draft.text.slice(from, turn.to).trim()
  const first = /^[\s,\][]*(?:<(\w+)\s*>|([{\w]))/.exec(draft.text.slice(from, from + 80))
  const tag = first?.[1]?.toLowerCase()
  const observed = labelAt(draft.text, from, turn.to)?.name === 'observation'
  if (tag === 'observation' || tag === 'tool_response' || observed) draft.diagnostics.add('invented-observation')
  else if (draft.answer !== null) draft.diagnostics.add('text-after-answer')
  else if (tag === 'action') draft.diagnostics.add('extra-action')
  else if (tag === 'final_answer') draft.diagnostics.add('final-answer-with-call')
  else draft.diagnostics.add('text-after-call')
}
