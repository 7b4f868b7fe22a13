import type { ArgumentProblem, Finish } from '@tenon/kernel'
import { argumentProblem, trimmed } from '@tenon/kernel'
import type { OfferedTools } from '../offered-tools.js'
import type { TurnDraft, TurnWords } from '../read-turn.js'
import type { LabelScanner } from './label-scanner.js'
import { labelAt } from './labels.js'

export const REACT_TEXT_WORDS: TurnWords = {
  action: 'a line "Action:" and a line "Action Input:"',
  answer: 'a line "Final Answer:"',
  form: '"Action: NAME" on one line and "Action Input: {…}" on the next',
}

/** What the parts of the reader share. */
export type TextTurn = {
  readonly draft: TurnDraft
  readonly labels: LabelScanner
  readonly tools: OfferedTools
  readonly finish: Finish
  /** Where the turn ends; behind it may stand what follows a fence around the turn. */
  readonly to: number
  readonly textEnd: number
}

/** An answer runs to the end or to an observation. */
export function readAnswer(turn: TextTurn, from: number): void {
  const { draft, labels } = turn
  let end = turn.to
  for (let label = labels.next(from); label !== null; label = labels.next(label.from)) {
    if (label.name !== 'observation') continue
    end = label.at
    break
  }
  draft.answer = draft.text.slice(from, end).trim()
  if (end < turn.to) discard(turn, end)
  else discardTail(turn, end)
}

export function malformedAction(position: number): ArgumentProblem {
  return argumentProblem(
    'malformed-call',
    position,
    `The action has no form that can be read. Write ${REACT_TEXT_WORDS.form}`,
  )
}

/** Drops what stands behind a fence around the turn. */
export function discardTail(turn: TextTurn, at: number): void {
  if (turn.textEnd > turn.to && at >= turn.to) {
    let behind = turn.to
    while (/[\s`]/.test(turn.draft.text[behind] ?? '')) behind++
    if (behind < turn.textEnd) discard(turn, behind)
  }
}

/** Drops everything from `at` on and names it by what stands first in it. */
export function discard(turn: TextTurn, at: number): void {
  const { draft, labels } = turn
  const [from, to] = trimmed(draft.text, at, turn.to)
  if (from === to) {
    discardTail(turn, to)
    return
  }
  const label = at >= turn.to ? labelAt(draft.text, from, turn.textEnd) : labels.here(from)
  draft.discarded = draft.text.slice(from, turn.textEnd).trim()
  if (label?.variant) draft.diagnostics.add('label-variant')
  if (label?.name === 'observation' || /^<(?:observation|tool_response)>/i.test(draft.text.slice(from, from + 16))) {
    draft.diagnostics.add('invented-observation')
  } else if (draft.answer !== null) draft.diagnostics.add('text-after-answer')
  else if (label?.name === 'action') draft.diagnostics.add('extra-action')
  else if (label?.name === 'final-answer') draft.diagnostics.add('final-answer-with-call')
  else draft.diagnostics.add('text-after-call')
}
