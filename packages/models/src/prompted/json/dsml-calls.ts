import type { ArgumentProblem, JsonMember, JsonNode, Repair } from '@tenon/kernel'
import { argumentsInNode, declaredFields, faultProblem, isFault, JsonReader, truncated } from '@tenon/kernel'
import { findTool } from '../offered-tools.js'
import type { ReadCall } from '../read-turn.js'
import type { JsonContext } from './call-group.js'
import { brokenCall, malformedCall, nextWord, skipBlanks } from './call-group.js'
import type { MarkedCalls } from './marked-calls.js'
import { isWhole } from './marked-calls.js'

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

/** DeepSeek's markup: `invoke` elements, each parameter marked as text or JSON. */
export function readDsmlCalls(context: JsonContext, start: number): MarkedCalls | null {
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
    const close = nextWord(context, DSML_PARAMETER_END, from)
    if (close < 0) {
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
    if (!declaredFields(tool.shape).every((key) => given.has(key))) problem = truncated(to)
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
