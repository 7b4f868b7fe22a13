/** The words that begin a line of the dialect. */
type LabelName = 'thought' | 'action' | 'action-input' | 'observation' | 'final-answer'

export type Label = {
  readonly name: LabelName
  /** Offset of the line. */
  readonly at: number
  /** Offset behind the colon. */
  readonly from: number
  /** Written otherwise than the prompt shows it. */
  readonly variant: boolean
}

const LABEL =
  /[ \t]*(?:(?:#{1,6}|[-*+>]|\d+[.)])[ \t]+)*([*_`]{0,3})(thought|action[ \t]+input|action|observation|final[ \t]+answer)[ \t]*\d*[ \t]*([*_`]{0,3})[ \t]*[:：]/iy
const PLAIN = /^(?:Thought|Action|Action Input|Observation|Final Answer):$/
const PARTIAL = /^[ \t]*[*_`]{0,3}(obs[a-z]*)[ \t]*\d*[ \t]*[*_`]{0,3}$/i

/** The label that a line begins with. `lineStart` must be the offset of a line. */
export function labelAt(text: string, lineStart: number, to: number): Label | null {
  LABEL.lastIndex = lineStart
  const found = LABEL.exec(text)
  if (found === null || LABEL.lastIndex > to) return null
  const [whole, open = '', word = '', close = ''] = found
  let from = LABEL.lastIndex
  if (open !== '' && close === '') {
    if (text.startsWith(open, from)) from += open.length
  }
  const name = word.toLowerCase().replace(/[ \t]+/, '-') as LabelName
  return { name, at: lineStart, from, variant: !PLAIN.test(whole) || from !== LABEL.lastIndex }
}

/** The offset of a last line that is the beginning of an observation, cut by a stop sequence; else -1. */
export function cutObservation(text: string, from: number, to: number): number {
  const line = text.lastIndexOf('\n', to - 1) + 1
  if (line <= from || to - line > 24) return -1
  const word = PARTIAL.exec(text.slice(line, to))?.[1]?.toLowerCase()
  return word !== undefined && 'observation'.startsWith(word) ? line : -1
}
