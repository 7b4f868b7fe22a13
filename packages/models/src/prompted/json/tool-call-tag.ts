import { faultProblem, isFault, JsonReader, onlyClosers, textAroundJson, truncated } from '@tenon/kernel'
import { callFromShape, callShape, namedByFirstKey } from '../call-object.js'
import type { ReadCall } from '../read-turn.js'
import type { JsonContext } from './call-group.js'
import { brokenCall, isCut, malformedCall, nextWord, skipBlanks } from './call-group.js'
import type { MarkedCalls } from './marked-calls.js'
import { isWhole } from './marked-calls.js'
import { readFunctionBlock } from './read-function-block.js'
import { skipBroken } from './skip-broken.js'

export const TOOL_CALL_CLOSE = '</tool_call>'

/** `<tool_call>` around a call object or a function block. */
export function readToolCallTag(context: JsonContext, at: number): MarkedCalls | null {
  const { text, to, tools, finish } = context
  const body = skipBlanks(text, at + '<tool_call>'.length, to)
  if (text.startsWith('<function=', body)) {
    const block = readFunctionBlock(context, body)
    if (block === null) return otherBody(context, at, body)
    const closing = closeToolCall(context, block.end)
    if (closing === null) return textBehind(context, block.call, block.end)
    return { calls: [block.call], end: closing.end, unclosed: isWhole(block.call) && (block.unclosed || closing.open) }
  }
  if (text[body] !== '{') return otherBody(context, at, body)
  const ends = (place: number): boolean => text.startsWith(TOOL_CALL_CLOSE, place)
  const reader = new JsonReader(text, body, to, ends)
  const node = reader.value()
  if (isFault(node)) {
    const name = namedByFirstKey(text, body, tools)
    context.budget.left -= reader.at - body
    if (name === null && !beginsLine(text, at)) return null
    const skipped = skipBroken(text, node, to)
    const end =
      node.code === 'truncated-output' ? reader.at : skipped < 0 ? behindQuotes(text, node.position, to) : skipped
    const close = closeToolCall(context, end)
    const call = brokenCall(name ?? '', faultProblem(node), text.slice(body, end))
    return { calls: [call], end: close?.end ?? behindClose(context, end), unclosed: false }
  }
  const shape = callShape(node)
  if (shape === null) return otherBody(context, at, body)
  const written = text.slice(body, reader.at)
  reader.skip()
  if (onlyClosers(text, reader.at, to, ends)) {
    reader.repairs.add('surplus-closers')
    while (reader.at < to && !ends(reader.at) && /[\s\]}]/.test(text[reader.at] ?? '')) reader.at++
  }
  const call = callFromShape(shape, tools, reader.repairs, reader.unclosed.length > 0, finish, written)
  const closing = closeToolCall(context, reader.at)
  if (closing === null) return textBehind(context, call, skipBlanks(text, reader.at, to))
  return { calls: [call], end: closing.end, unclosed: isWhole(call) && closing.open }
}

/** Behind the end tag, or at the end of the output where it lacks. */
function closeToolCall(
  { text, to }: JsonContext,
  from: number,
): { readonly end: number; readonly open: boolean } | null {
  const at = skipBlanks(text, from, to)
  if (text.startsWith(TOOL_CALL_CLOSE, at)) return { end: at + TOOL_CALL_CLOSE.length, open: false }
  return at >= to ? { end: to, open: true } : null
}

function textBehind(context: JsonContext, call: ReadCall, at: number): MarkedCalls {
  const { text } = context
  const problem = text.startsWith('<tool_call>', at) ? malformedCall(at) : textAroundJson(at)
  const end = text.startsWith('<tool_call>', at) ? at : behindClose(context, at)
  return { calls: [brokenCall(call.name, problem, call.written)], end, unclosed: false }
}

function behindClose(context: JsonContext, from: number): number {
  const close = nextWord(context, TOOL_CALL_CLOSE, from)
  return close < 0 ? context.to : close + TOOL_CALL_CLOSE.length
}

/** Behind a text that ended too early only an end tag that plainly ends a call is one. */
function behindQuotes(text: string, from: number, to: number): number {
  const close = /\}\s*(?=<\/tool_call>\s*(?:<tool_call>|$))/g
  close.lastIndex = from
  const found = close.exec(text.slice(0, to))
  return found === null ? to : found.index + found[0].length
}

function beginsLine(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === ' ' || text[before - 1] === '\t') before--
  return before === 0 || text[before - 1] === '\n'
}

/** The tag at the start of a line with another body is a call gone wrong, elsewhere it is text. */
function otherBody(context: JsonContext, at: number, body: number): MarkedCalls | null {
  const { text } = context
  if (!beginsLine(text, at)) return null
  const end = behindClose(context, body)
  const problem = body >= context.to && isCut(context.finish) ? truncated(context.to) : malformedCall(body)
  return { calls: [brokenCall('', problem, text.slice(at, end))], end, unclosed: false }
}
