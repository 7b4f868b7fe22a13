import type { ArgumentProblem, JsonMember, JsonNode, Shape } from '@tenon/kernel'
import {
  admitsText,
  argumentsInNode,
  declaredFields,
  duplicateKey,
  faultProblem,
  fieldShape,
  isFault,
  JsonReader,
  singleType,
  truncated,
} from '@tenon/kernel'
import { findTool } from '../offered-tools.js'
import type { ReadCall } from '../read-turn.js'
import type { JsonContext } from './call-group.js'
import { brokenCall, isCut, malformedCall, skipBlanks } from './call-group.js'

const OPEN = /<function=([^>\n]+)>/y
const PARAMETER = /<parameter=([^>\n]+)>/y
const CLOSE = '</function>'
const WRAPPER_CLOSE = '</tool_call>'

export type FunctionBlock = { readonly call: ReadCall; readonly end: number; readonly unclosed: boolean }

/** `<function=NAME>` with parameters in tags or one object. Null where no body of that form follows. */
export function readFunctionBlock(context: JsonContext, at: number): FunctionBlock | null {
  const { text, to, tools, finish } = context
  OPEN.lastIndex = at
  const name = OPEN.exec(text)?.[1]?.trim()
  if (name === undefined) return null
  const body = skipBlanks(text, OPEN.lastIndex, to)
  const hasForm = text[body] === '{' || text.startsWith('<parameter=', body) || text.startsWith(CLOSE, body)
  if (!hasForm) return null
  const repairs = new Set<never>()
  const tool = findTool(name, at + '<function='.length, tools, repairs)
  const shape: Shape = 'code' in tool ? { schema: {}, root: {} } : tool.shape
  const parts = text[body] === '{' ? objectBody(context, body) : parameterBody(context, body, shape)
  const written = text.slice(at, parts.end)
  const broken = (problem: ArgumentProblem): FunctionBlock => ({
    call: brokenCall('code' in tool ? name : tool.name, problem, written),
    end: parts.problem === undefined ? parts.end : blockEnd(context, parts.end),
    unclosed: false,
  })
  if ('code' in tool) return broken(tool)
  if (parts.problem !== undefined) return broken(parts.problem)
  const { node, reader } = parts
  if (!parts.closed && (isCut(finish) || (reader === undefined && !allFields(node, shape)))) {
    return broken(truncated(text.slice(0, parts.end).trimEnd().length))
  }
  const made = new Set([...repairs, ...(reader?.repairs ?? [])])
  const reading = argumentsInNode(node, shape, made, (reader?.unclosed.length ?? 0) > 0, finish)
  if (!reading.ok) return broken(reading.problem)
  const call: ReadCall = { kind: 'call', name: tool.name, args: reading.args, repairs: reading.repairs, written }
  return { call, end: parts.end, unclosed: !parts.closed }
}

type Body =
  | {
      readonly node: JsonNode
      readonly end: number
      readonly closed: boolean
      readonly reader?: JsonReader
      readonly problem?: undefined
    }
  | { readonly problem: ArgumentProblem; readonly end: number }

function objectBody({ text, to }: JsonContext, at: number): Body {
  const ends = (place: number): boolean => text.startsWith(CLOSE, place) || text.startsWith(WRAPPER_CLOSE, place)
  const reader = new JsonReader(text, at, to, ends)
  const node = reader.value()
  if (isFault(node)) return { problem: faultProblem(node), end: reader.at }
  const end = skipBlanks(text, reader.at, to)
  if (text.startsWith(CLOSE, end)) return { node, reader, end: end + CLOSE.length, closed: true }
  if (end >= to || ends(end)) return { node, reader, end, closed: false }
  return { problem: malformedCall(end), end }
}

function parameterBody(context: JsonContext, from: number, shape: Shape): Body {
  const { text, to } = context
  const members: JsonMember[] = []
  const seen = new Set<string>()
  let at = from
  for (;;) {
    at = skipBlanks(text, at, to)
    const closed = text.startsWith(CLOSE, at)
    if (closed || at >= to || text.startsWith(WRAPPER_CLOSE, at)) {
      const node: JsonNode = { kind: 'object', start: from, end: at, members, closed: true }
      return { node, end: closed ? at + CLOSE.length : at, closed }
    }
    PARAMETER.lastIndex = at
    const key = PARAMETER.exec(text)?.[1]?.trim()
    if (key === undefined) return { problem: malformedCall(at), end: at }
    const keyStart = at + '<parameter='.length
    if (seen.has(key)) return { problem: duplicateKey(key, keyStart), end: at }
    seen.add(key)
    const value = parameterEnd(context, PARAMETER.lastIndex)
    if (value.problem !== undefined) return { problem: value.problem, end: value.end }
    const read = parameterValue(text, PARAMETER.lastIndex, value.end, fieldShape(shape, key), key)
    if ('code' in read) return { problem: read, end: value.end }
    members.push({ key, keyStart, value: read })
    at = value.behind
  }
}

type ParameterEnd =
  | { readonly end: number; readonly behind: number; readonly problem?: undefined }
  | { readonly problem: ArgumentProblem; readonly end: number }

/** An end tag counts only before the next parameter, the end of the block or the end of the text. */
function parameterEnd({ text, to }: JsonContext, from: number): ParameterEnd {
  const tag = /<\/parameter>|\n[ \t]*<parameter=[^>\n]+>|<\/function>/g
  tag.lastIndex = from
  for (let found = tag.exec(text); found !== null && tag.lastIndex <= to; found = tag.exec(text)) {
    const [word] = found
    if (word.startsWith('\n')) {
      const place = found.index + word.indexOf('<')
      return { problem: malformedCall(place), end: place }
    }
    const behind = skipBlanks(text, tag.lastIndex, to)
    if (word === CLOSE) {
      // Inside of a value it is text, unless no end tag follows that would count.
      if (nextEndTag(text, tag.lastIndex, to)) continue
      return { problem: malformedCall(found.index), end: found.index }
    }
    const counts =
      behind >= to ||
      text.startsWith('<parameter=', behind) ||
      text.startsWith(CLOSE, behind) ||
      (text.startsWith(WRAPPER_CLOSE, behind) && skipBlanks(text, behind + WRAPPER_CLOSE.length, to) >= to)
    if (counts) return { end: found.index, behind: tag.lastIndex }
  }
  return { problem: truncated(to), end: to }
}

function nextEndTag(text: string, from: number, to: number): boolean {
  const next = text.indexOf('</parameter>', from)
  const block = text.indexOf('<function=', from)
  return next >= 0 && next < to && (block < 0 || next < block)
}

/** One line break comes off at each end. Text stays as it is; other values are JSON as it stands. */
function parameterValue(text: string, from: number, to: number, shape: Shape, key: string): JsonNode | ArgumentProblem {
  const start = text[from] === '\n' ? from + 1 : text.startsWith('\r\n', from) ? from + 2 : from
  let end = to
  if (end > start && text[end - 1] === '\n') end -= text[end - 2] === '\r' && end - 1 > start ? 2 : 1
  const literal: JsonNode = { kind: 'string', start, end, value: text.slice(start, end) }
  if (singleType(shape) === 'string') return literal
  const reader = new JsonReader(text, start, end)
  const node = reader.value()
  const strict = !isFault(node) && reader.skip() && reader.repairs.size === 0
  if (strict && reader.unclosed.length === 0) return node
  if (admitsText(shape) || singleType(shape) === undefined) return literal
  const position = isFault(node) && node.code === 'invalid-json' ? node.position : start
  return faultProblem({ code: 'invalid-json', position, reason: 'token', field: key, open: '' })
}

function allFields(node: JsonNode, shape: Shape): boolean {
  const given = node.kind === 'object' ? new Set(node.members.map((member) => member.key)) : new Set<string>()
  return declaredFields(shape).every((key) => given.has(key))
}

/** Where a broken block ends: behind its closing tag, or at what closes it from outside. */
function blockEnd({ text, to }: JsonContext, from: number): number {
  const close = text.indexOf(CLOSE, from)
  if (close >= 0 && close < to) return close + CLOSE.length
  const wrapper = text.indexOf(WRAPPER_CLOSE, from)
  return wrapper >= 0 && wrapper < to ? wrapper : to
}
