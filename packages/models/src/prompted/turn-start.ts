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

/** A closing tag that stands alone on its line: the opening one was part of the prompt. */
function lonelyClose(text: string, from: number, to: number): number {
  for (let at = text.indexOf(CLOSE, from); at >= 0 && at < to; at = text.indexOf(CLOSE, at + 1)) {
    const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
    const behind = text.slice(at + CLOSE.length, at + CLOSE.length + 200).split('\n', 1)[0] ?? ''
    if (line.trim() === '' && behind.trim() === '') return at
  }
  return -1
}
