import { fenceClosesAt } from '@tenon/kernel'
import type { Label } from './labels.js'
import { cutObservation, labelAt } from './labels.js'

/** Finds labels in a part of a text: at the start of lines, outside of code fences. */
export type LabelScanner = {
  readonly to: number
  /** The first label on a line that begins at or behind `from`. */
  next(from: number): Label | null
  /** The label of the line whose first character, blanks aside, stands at `at`. */
  here(at: number): Label | null
}

export function labelScanner(text: string, from: number, to: number): LabelScanner {
  const cut = cutObservation(text, from, to)
  const onLine = (line: number): Label | null =>
    line === cut ? { name: 'observation', at: line, from: to, variant: false } : labelAt(text, line, to)
  const lineOf = (at: number): number => {
    let line = at
    while (line > from && (text[line - 1] === ' ' || text[line - 1] === '\t')) line--
    return line === from || text[line - 1] === '\n' ? line : -1
  }
  return {
    to,
    next(start) {
      let fenced = false
      let line = lineOf(start)
      if (line < 0) line = lineBehind(text, start, to)
      for (; line < to; line = lineBehind(text, line, to)) {
        if (isFenceLine(text, line)) fenced = fenced ? !fenceClosesAt(text, firstOf(text, line), to) : true
        else if (!fenced) {
          const label = onLine(line)
          if (label !== null) return label
        }
      }
      return null
    },
    here(at) {
      const line = lineOf(at)
      return line < 0 ? null : onLine(line)
    },
  }
}

function lineBehind(text: string, at: number, to: number): number {
  const feed = text.indexOf('\n', at)
  return feed < 0 ? to : feed + 1
}

function firstOf(text: string, line: number): number {
  let at = line
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

const isFenceLine = (text: string, line: number): boolean => text.startsWith('```', firstOf(text, line))
