import { faultProblem, isFault, JsonReader } from '@tenon/kernel'
import { callFromShape, callShape, namedByFirstKey } from '../call-object.js'
import type { ReadCall } from '../read-turn.js'
import type { JsonContext } from './call-group.js'
import { brokenCall, skipBlanks } from './call-group.js'
import type { MarkedCalls } from './marked-calls.js'
import { skipBroken } from './skip-broken.js'

/** What stands behind `<|python_tag|>`: call objects with `;` between them. */
export function readPythonTagCalls(context: JsonContext, from: number): MarkedCalls | null {
  const { text, to, tools, finish } = context
  const calls: ReadCall[] = []
  let end = from
  for (let at = skipBlanks(text, from, to); text[at] === '{'; at = skipBlanks(text, end + 1, to)) {
    const ends = (place: number): boolean => text[place] === ';'
    const reader = new JsonReader(text, at, to, ends)
    const node = reader.value()
    if (isFault(node)) {
      const skipped = skipBroken(text, node, to)
      end = skipped < 0 ? to : skipped
      calls.push(brokenCall(namedByFirstKey(text, at, tools) ?? '', faultProblem(node), text.slice(at, end)))
    } else {
      const shape = callShape(node)
      if (shape === null) return null
      end = reader.at
      const unclosed = reader.unclosed.length > 0
      calls.push(callFromShape(shape, tools, reader.repairs, unclosed, finish, text.slice(at, end)))
    }
    end = skipBlanks(text, end, to)
    if (text[end] !== ';') break
  }
  return calls.length === 0 ? null : { calls, end, unclosed: false }
}
