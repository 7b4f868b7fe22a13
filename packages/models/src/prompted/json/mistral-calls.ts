import type { JsonContext } from './call-group.js'
import { isGroup, skipBlanks } from './call-group.js'
import type { MarkedCalls } from './marked-calls.js'
import { namedCall } from './named-call.js'
import { readCallList } from './read-sequence.js'

/** What stands behind `[TOOL_CALLS]`: a list of call objects, or a name and an object. */
export function readMistralCalls(context: JsonContext, from: number): MarkedCalls | null {
  const { text, to } = context
  const at = skipBlanks(text, from, to)
  if (text[at] === '[') {
    const list = readCallList(context, at, () => false)
    return isGroup(list) ? { calls: list.calls, end: list.end, unclosed: false } : null
  }
  const named = /([\w.\-:/]+)\s*(?:\[ARGS\])?\s*(?=\{)/y
  named.lastIndex = at
  const name = named.exec(text)?.[1]
  if (name === undefined) return null
  const ends = (place: number): boolean => text.startsWith('[TOOL_CALLS]', place)
  const read = namedCall(context, name, at, named.lastIndex, ends)
  return { calls: [read.call], end: read.end, unclosed: false }
}
