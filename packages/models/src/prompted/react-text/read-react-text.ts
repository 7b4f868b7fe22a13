import type { Finish } from '@tenon/kernel'
import { fenceClosesAt, fenceOpening, trimmed } from '@tenon/kernel'
import type { OfferedTools } from '../offered-tools.js'
import type { ReadTurn, TurnDraft } from '../read-turn.js'
import { addThought, readTurn, turnDraft } from '../read-turn.js'
import { turnStart } from '../turn-start.js'
import { labelScanner } from './label-scanner.js'
import type { Label } from './labels.js'
import { labelAt } from './labels.js'
import { readAction } from './read-action.js'
import type { TextTurn } from './text-turn.js'
import { discard, discardTail, malformedAction, REACT_TEXT_WORDS, readAnswer } from './text-turn.js'

/** Reads a whole output in the labels Thought, Action, Action Input, Observation and Final Answer. Never throws. */
export function readReactText(text: string, tools: OfferedTools, finish: Finish): ReadTurn {
  const draft = turnDraft(text)
  const [start, textEnd] = turnStart(draft)
  const [from, to] = insideFence(draft, start, textEnd)
  const labels = labelScanner(text, from, to)
  const turn: TextTurn = { draft, labels, tools, finish, to, textEnd }
  if (from < to) readParts(turn, from)
  return readTurn(draft, REACT_TEXT_WORDS)
}

/** A fence around the whole turn comes off; its end may lack, and an observation may follow it. */
function insideFence(draft: TurnDraft, from: number, to: number): readonly [from: number, to: number] {
  const { text } = draft
  const fence = fenceOpening(text, from)
  if (fence === null) return [from, to]
  const [inner] = trimmed(text, fence.from, to)
  const line = text.lastIndexOf('\n', inner - 1) + 1
  if (labelAt(text, Math.max(line, fence.from), to) === null) return [from, to]
  const last = text.lastIndexOf('```', to - 1)
  if (last > inner && fenceClosesAt(text, last, to) && text.slice(last + 3, to).trim() === '') {
    // Marks at the end may close a fence inside of an open one: an odd number of fence lines leaves the outer one open.
    const lines = text.slice(from, to).match(/^[ \t]*```/gm)?.length ?? 0
    draft.repairs.add('code-fence')
    return trimmed(text, fence.from, lines % 2 === 0 ? last : to)
  }
  const closing = closingLine(text, fence.from, to)
  if (closing < 0) {
    draft.repairs.add('code-fence')
    return [inner, to]
  }
  const [behind] = trimmed(text, closing + 3, to)
  if (labelAt(text, behind, to)?.name !== 'observation') return [from, to]
  draft.repairs.add('code-fence')
  return trimmed(text, fence.from, closing)
}

function closingLine(text: string, from: number, to: number): number {
  for (let at = text.indexOf('\n```', from - 1); at >= 0 && at < to; at = text.indexOf('\n```', at + 1)) {
    if (fenceClosesAt(text, at + 1, to)) return at + 1
  }
  return -1
}

function readParts(turn: TextTurn, from: number): void {
  const { draft, labels } = turn
  let at = from
  let labelled = false
  let any = false
  for (;;) {
    const label = labels.next(at)
    const end = label?.at ?? turn.to
    if (label === null && !any) {
      draft.answer = draft.text.slice(from, turn.to).trim()
      draft.diagnostics.add('plain-answer')
      return
    }
    if (addThought(draft, at, end) && !labelled) draft.diagnostics.add('thought-unlabelled')
    if (label === null) {
      discardTail(turn, end)
      return
    }
    any = true
    if (label.variant) draft.diagnostics.add('label-variant')
    if (label.name === 'observation') {
      discard(turn, label.at)
      return
    }
    if (label.name === 'final-answer') {
      readAnswer(turn, label.from)
      return
    }
    if (label.name === 'action-input') {
      strayInput(turn, label)
      return
    }
    labelled = label.name === 'thought'
    if (labelled) {
      at = label.from
      continue
    }
    const next = readAction(turn, label)
    if (next === null) return
    at = next
  }
}

function strayInput(turn: TextTurn, label: Label): void {
  turn.draft.problem = malformedAction(label.at)
  const rest = turn.labels.next(label.from)
  if (rest !== null) discard(turn, rest.at)
}
