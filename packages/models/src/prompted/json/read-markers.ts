import type { ArgumentProblem, JsonMember, JsonNode, Repair } from '@tenon/kernel'
import {
  argumentsInNode,
  faultProblem,
  fenceClosesAt,
  fenceOpening,
  isFault,
  JsonReader,
  onlyClosers,
  textAroundJson,
  truncated,
} from '@tenon/kernel'
import { callFromShape, callShape, namedByFirstKey } from '../call-object.js'
import { findTool } from '../offered-tools.js'
import type { ReadCall, TurnDiagnostic } from '../read-turn.js'
import type { CallGroup, JsonContext } from './call-group.js'
import { brokenCall, isGroup, malformedCall, nextWord, skipBlanks } from './call-group.js'
import { readFunctionBlock } from './read-function-block.js'
import { readCallList } from './read-sequence.js'
import { skipBroken } from './skip-broken.js'

/** Where a marker that a model's own template uses may begin. */
export const MARKER =
  /<tool_call>|<function=|<\|python_tag\|>|\[TOOL_CALLS\]|<｜tool▁calls?▁begin｜>|<｜DSML｜(?:tool_calls|function_calls)>|<｜DSML｜invoke /g

type Marked = { readonly calls: readonly ReadCall[]; readonly end: number; readonly unclosed: boolean }

/** Calls in native markers, as many as stand in a row. Null where no body of their form follows. */
export function readMarkers(context: JsonContext, start: number): CallGroup | null {
  const { text, to } = context
  const calls: ReadCall[] = []
  const diagnostics = new Set<TurnDiagnostic>(['native-markers'])
  let end = start
  for (let at = start; at < to; at = skipBlanks(text, end, to)) {
    const marked = readMarker(context, at)
    if (marked === null) break
    calls.push(...marked.calls)
    end = marked.end
    if (marked.unclosed) diagnostics.add('unclosed-tag')
  }
  if (calls.length === 0) return null
  return { start, end, calls, answer: null, diagnostics: [...diagnostics], trailingComma: false }
}

function readMarker(context: JsonContext, at: number): Marked | null {
  const { text } = context
  if (text.startsWith('<tool_call>', at)) return readToolCall(context, at)
  if (text.startsWith('<function=', at)) {
    const block = readFunctionBlock(context, at)
    if (block === null) return null
    // The wrapper's opening tag may lack.
    const behind = skipBlanks(text, block.end, context.to)
    const closes = text.startsWith(TOOL_CALL_CLOSE, behind)
    return {
      calls: [block.call],
      end: closes ? behind + TOOL_CALL_CLOSE.length : block.end,
      unclosed: block.unclosed,
    }
  }
  if (text.startsWith('<|python_tag|>', at)) return readPythonTag(context, at + 14)
  if (text.startsWith('[TOOL_CALLS]', at)) return readMistral(context, at + 12)
  if (text.startsWith('<｜tool▁call', at)) return readDeepSeek(context, at)
  if (text.startsWith('<｜DSML｜', at)) return readDsml(context, at)
  return null
}

const TOOL_CALL_CLOSE = '</tool_call>'

function readToolCall(context: JsonContext, at: number): Marked | null {
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

const isWhole = (call: ReadCall): boolean => call.kind === 'call'

/** Behind the end tag, or at the end of the output where it lacks. */
function closeToolCall(
  { text, to }: JsonContext,
  from: number,
): { readonly end: number; readonly open: boolean } | null {
  const at = skipBlanks(text, from, to)
  if (text.startsWith(TOOL_CALL_CLOSE, at)) return { end: at + TOOL_CALL_CLOSE.length, open: false }
  return at >= to ? { end: to, open: true } : null
}

function textBehind(context: JsonContext, call: ReadCall, at: number): Marked {
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
function otherBody(context: JsonContext, at: number, body: number): Marked | null {
  const { text } = context
  if (!beginsLine(text, at)) return null
  const end = behindClose(context, body)
  return { calls: [brokenCall('', malformedCall(body), text.slice(at, end))], end, unclosed: false }
}

function readPythonTag(context: JsonContext, from: number): Marked | null {
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

function readMistral(context: JsonContext, from: number): Marked | null {
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

/** A name and an object that is the arguments. */
function namedCall(
  context: JsonContext,
  name: string,
  position: number,
  at: number,
  ends: (at: number) => boolean,
): { readonly call: ReadCall; readonly end: number } {
  const { text, to, tools, finish } = context
  const repairs = new Set<Repair>()
  const tool = findTool(name, position, tools, repairs)
  const reader = new JsonReader(text, at, to, ends)
  const node = reader.value()
  const skipped = isFault(node) ? skipBroken(text, node, to) : reader.at
  const end = skipped < 0 ? Math.max(reader.at, at) : skipped
  const written = text.slice(position, end)
  if ('code' in tool) return { call: brokenCall(name, tool, written), end }
  if (isFault(node)) return { call: brokenCall(tool.name, faultProblem(node), written), end }
  for (const repair of reader.repairs) repairs.add(repair)
  const reading = argumentsInNode(node, tool.shape, repairs, reader.unclosed.length > 0, finish)
  if (!reading.ok) return { call: brokenCall(tool.name, reading.problem, written), end }
  return { call: { kind: 'call', name: tool.name, args: reading.args, repairs: reading.repairs, written }, end }
}

const DEEPSEEK_CALL = /<｜tool▁call▁begin｜>([^<]*)<｜tool▁sep｜>/y
const DEEPSEEK_CALL_END = '<｜tool▁call▁end｜>'
const DEEPSEEK_END = '<｜tool▁calls▁end｜>'
const DEEPSEEK_BEGIN = '<｜tool▁calls▁begin｜>'

function readDeepSeek(context: JsonContext, start: number): Marked | null {
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

const DSML_OPEN = /<｜DSML｜(?:tool_calls|function_calls)>\s*/y
const DSML_CLOSE = /\s*<\/｜DSML｜(?:tool_calls|function_calls)>/y
const DSML_INVOKE = /\s*<｜DSML｜invoke name="([^"]*)">/y
const DSML_INVOKE_END = /\s*<\/｜DSML｜invoke>/y
const DSML_PARAMETER = /\s*<｜DSML｜parameter name="([^"]*)"(?: string="(true|false)")?>/y
const DSML_PARAMETER_END = '</｜DSML｜parameter>'

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function readDsml(context: JsonContext, start: number): Marked | null {
  const { text, to } = context
  const opened = matchAt(DSML_OPEN, text, start)
  const calls: ReadCall[] = []
  let unclosed = false
  let at = opened === null ? start : start + opened[0].length
  for (let invoke = matchAt(DSML_INVOKE, text, at); invoke !== null; invoke = matchAt(DSML_INVOKE, text, at)) {
    const body = at + invoke[0].length
    const name = invoke[1] ?? ''
    const read = readInvoke(context, name, body - name.length - 2, body)
    calls.push(read.call)
    unclosed ||= read.unclosed
    at = read.end
  }
  if (calls.length === 0) return null
  const closed = matchAt(DSML_CLOSE, text, at)
  if (closed !== null) at += closed[0].length
  else if (opened !== null && skipBlanks(text, at, to) >= to && calls.some(isWhole)) unclosed = true
  return { calls, end: at, unclosed }
}

function readInvoke(
  context: JsonContext,
  name: string,
  position: number,
  body: number,
): { readonly call: ReadCall; readonly end: number; readonly unclosed: boolean } {
  const { text, to, tools, finish } = context
  const repairs = new Set<Repair>()
  const tool = findTool(name, position, tools, repairs)
  const members: JsonMember[] = []
  let problem: ArgumentProblem | null = null
  let at = body
  for (let next = matchAt(DSML_PARAMETER, text, at); next !== null; next = matchAt(DSML_PARAMETER, text, at)) {
    const from = at + next[0].length
    const close = text.indexOf(DSML_PARAMETER_END, from)
    if (close < 0 || close >= to) {
      problem ??= truncated(to)
      at = to
      break
    }
    const key = next[1] ?? ''
    const value = dsmlValue(text, from, close, key, next[2] === 'false')
    if ('code' in value) problem ??= value
    else members.push({ key, keyStart: at + next[0].indexOf('name="') + 6, value })
    at = close + DSML_PARAMETER_END.length
  }
  const close = matchAt(DSML_INVOKE_END, text, at)
  const open = close === null
  if (close !== null) at += close[0].length
  else if (skipBlanks(text, at, to) < to) problem ??= malformedCall(skipBlanks(text, at, to))
  const written = text.slice(body, at)
  if ('code' in tool) return { call: brokenCall(name, tool, written), end: at, unclosed: false }
  if (problem === null && open) {
    const given = new Set(members.map((member) => member.key))
    const { schema } = tool.shape
    const declared = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
    if (!declared.every((key) => given.has(key))) problem = truncated(to)
  }
  if (problem !== null) return { call: brokenCall(tool.name, problem, written), end: at, unclosed: false }
  const node: JsonNode = { kind: 'object', start: body, end: at, members, closed: true }
  const reading = argumentsInNode(node, tool.shape, repairs, false, finish)
  if (!reading.ok) return { call: brokenCall(tool.name, reading.problem, written), end: at, unclosed: false }
  const call: ReadCall = { kind: 'call', name: tool.name, args: reading.args, repairs: reading.repairs, written }
  return { call, end: at, unclosed: open }
}

function dsmlValue(text: string, from: number, to: number, key: string, json: boolean): JsonNode | ArgumentProblem {
  if (!json) return { kind: 'string', start: from, end: to, value: text.slice(from, to) }
  const reader = new JsonReader(text, from, to)
  const node = reader.value()
  if (!isFault(node) && reader.skip() && reader.repairs.size === 0 && reader.unclosed.length === 0) return node
  const position = isFault(node) && node.code === 'invalid-json' ? node.position : from
  return faultProblem({ code: 'invalid-json', position, reason: 'token', field: key, open: '' })
}

/** Where a group in a fence ends, the fence included; -1 where something else stands in the fence. */
export function fenceEndBehind(text: string, at: number, to: number): number {
  const end = skipBlanks(text, at, to)
  if (end >= to) return to
  return fenceClosesAt(text, end, to) ? end + 3 : -1
}
