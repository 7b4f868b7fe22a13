import { trimmed, withoutFrame } from '@tenon/kernel'
import type { TurnDraft } from './read-turn.js'
import { addThought } from './read-turn.js'

const OPEN = '<think>'
const CLOSE = '</think>'

/** Takes off what stands around a turn and the thinking before it; returns where the turn itself stands. */
export function turnStart(draft: TurnDraft): readonly [from: number, to: number] {
  const { text } = draft
  let [from, to] = withoutFrame(text, draft.repairs)
  if (!text.startsWith(OPEN, from)) {
    const close = lonelyClose(text, from, to)
    if (close < 0) return [from, to]
    draft.diagnostics.add('think-block')
    addThought(draft, from, close)
    ;[from, to] = trimmed(text, close + CLOSE.length, to)
  }
  while (text.startsWith(OPEN, from)) {
    draft.diagnostics.add('think-block')
    const close = text.indexOf(CLOSE, from)
    const end = close < 0 || close >= to ? to : close
    addThought(draft, from + OPEN.length, end)
    ;[from, to] = trimmed(text, Math.min(end + CLOSE.length, to), to)
  }
  return [from, to]
}

const LONELY_CLOSE = /(?:^|\n)[ \t]*(<\/think>)[ \t]*(?=\r?\n|$)/g

/** A closing tag that stands alone on its line: the opening one was part of the prompt. */
function lonelyClose(text: string, from: number, to: number): number {
  LONELY_CLOSE.lastIndex = Math.max(0, from - 1)
  const found = LONELY_CLOSE.exec(text)
  if (found === null) return -1
  const at = found.index + found[0].indexOf(CLOSE)
  return at >= from && at < to ? at : -1
}
