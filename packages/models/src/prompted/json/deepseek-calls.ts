import { fenceOpening } from '@tenon/kernel'
import type { ReadCall } from '../read-turn.js'
import type { JsonContext } from './call-group.js'
import { skipBlanks } from './call-group.js'
import type { MarkedCalls } from './marked-calls.js'
import { isWhole } from './marked-calls.js'
import { namedCall } from './named-call.js'

const DEEPSEEK_CALL = /<｜tool▁call▁begin｜>([^<]*)<｜tool▁sep｜>/y
const DEEPSEEK_CALL_END = '<｜tool▁call▁end｜>'
const DEEPSEEK_END = '<｜tool▁calls▁end｜>'
const DEEPSEEK_BEGIN = '<｜tool▁calls▁begin｜>'

/** DeepSeek's own markers: a name, a separator and an object, bare or fenced. */
export function readDeepSeekCalls(context: JsonContext, start: number): MarkedCalls | null {
  const { text, to } = context
  const wrapped = text.startsWith(DEEPSEEK_BEGIN, start)
  const calls: ReadCall[] = []
  let unclosed = false
  let at = wrapped ? skipBlanks(text, start + DEEPSEEK_BEGIN.length, to) : start
  for (;;) {
    DEEPSEEK_CALL.lastIndex = at
    const found = DEEPSEEK_CALL.exec(text)
    if (found === null) break
    const before = (found[1] ?? '').trim()
    const behind = skipBlanks(text, DEEPSEEK_CALL.lastIndex, to)
    const nameFirst = text[behind] === '{' || text.startsWith('```', behind)
    const name = nameFirst ? before : (/[^\s`{<]+/.exec(text.slice(behind, behind + 200))?.[0] ?? '')
    const position = nameFirst ? at + '<｜tool▁call▁begin｜>'.length : behind
    let body = skipBlanks(text, nameFirst ? behind : behind + name.length, to)
    const fence = fenceOpening(text, body)
    if (fence !== null) body = skipBlanks(text, fence.from, to)
    if (text[body] !== '{') break
    const ends = (place: number): boolean =>
      text.startsWith(DEEPSEEK_CALL_END, place) || (fence !== null && text.startsWith('```', place))
    const read = namedCall(context, name, position, body, ends)
    calls.push(read.call)
    at = skipBlanks(text, read.end, to)
    if (fence !== null && text.startsWith('```', at)) at = skipBlanks(text, at + 3, to)
    if (read.call.kind === 'broken' && !text.startsWith(DEEPSEEK_CALL_END, at)) {
      const close = text.indexOf(DEEPSEEK_CALL_END, at)
      at = close < 0 || close >= to ? to : close
    }
    if (text.startsWith(DEEPSEEK_CALL_END, at)) at = skipBlanks(text, at + DEEPSEEK_CALL_END.length, to)
    else if (at >= to && isWhole(read.call)) unclosed = true
    else break
  }
  if (calls.length === 0) return null
  if (text.startsWith(DEEPSEEK_END, at)) at += DEEPSEEK_END.length
  else if (wrapped && calls.some(isWhole)) unclosed = true
  return { calls, end: at, unclosed }
}
