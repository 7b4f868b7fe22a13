import type { ArgumentProblem, Finish, JsonMember, JsonNode, JsonReader, Repair } from '@tenon/kernel'
import {
  argumentProblem,
  argumentsInNode,
  declaredFields,
  faultProblem,
  fieldShape,
  fieldsInWords,
  isFault,
  type Shape,
  singleType,
  truncated,
} from '@tenon/kernel'
import type { OfferedTools } from './offered-tools.js'
import { findTool } from './offered-tools.js'
import type { ReadCall } from './read-turn.js'

const HEAD = /([^\s(){}[\],"'<>=：，]{1,256})[ \t]*\(/y
const KEY = /([\p{ID_Start}_$][\p{ID_Continue}$]*)\s*=(?!=)/uy

/** The name and the place behind the bracket, where a call form `name(` begins at `at`. */
export function callFormHead(text: string, at: number): { readonly name: string; readonly from: number } | null {
  HEAD.lastIndex = at
  const found = HEAD.exec(text)
  return found?.[1] === undefined ? null : { name: found[1], from: HEAD.lastIndex }
}

type Values = { readonly positional: JsonNode[]; readonly keyed: JsonMember[] }

/**
 * Reads `name(value, key=value)`: values by declared order, then by key, as JSON with its lossless repairs. `reader`
 * stands behind the bracket and afterwards behind the closing one, if it came so far.
 */
export function readCallForm(
  head: { readonly name: string },
  namePosition: number,
  reader: JsonReader,
  tools: OfferedTools,
  outerRepairs: Iterable<Repair>,
  finish: Finish,
): ReadCall {
  const repairs = new Set(outerRepairs)
  const tool = findTool(head.name, namePosition, tools, repairs)
  const values = readValues(reader)
  const written = reader.text.slice(namePosition, reader.at)
  const broken = (problem: ArgumentProblem): ReadCall => ({
    kind: 'broken',
    name: 'code' in tool ? head.name : tool.name,
    problem,
    written,
  })
  if ('code' in tool) return broken(tool)
  if ('code' in values) return broken(values)
  for (const repair of reader.repairs) repairs.add(repair)
  const args = placed(values, tool.shape, tool.name)
  if ('code' in args) return broken(args)
  const reading = argumentsInNode(args, tool.shape, repairs, false, finish)
  if (!reading.ok) return broken(reading.problem)
  return { kind: 'call', name: tool.name, args: reading.args, repairs: reading.repairs, written }
}

function readValues(reader: JsonReader): Values | ArgumentProblem {
  const values: Values = { positional: [], keyed: [] }
  for (let comma = false; ; comma = true) {
    if (reader.skip()) return truncated(endOfRead(reader))
    if (reader.text[reader.at] === ')') {
      if (comma) reader.repairs.add('trailing-comma')
      break
    }
    KEY.lastIndex = reader.at
    const key = KEY.exec(reader.text)?.[1]
    if (key !== undefined) reader.at = KEY.lastIndex
    else if (values.keyed.length > 0) return misplaced(reader.at)
    const value = reader.value()
    if (isFault(value)) return faultProblem(value)
    if (key === undefined) values.positional.push(value)
    else values.keyed.push({ key, keyStart: value.start, value })
    if (reader.skip()) return truncated(endOfRead(reader))
    if (reader.text[reader.at] === ')') break
    if (!reader.comma()) return misplaced(reader.at)
  }
  reader.at++
  return values
}

const misplaced = (position: number): ArgumentProblem =>
  faultProblem({ code: 'invalid-json', position, reason: 'token', field: null, open: '' })

function endOfRead(reader: JsonReader): number {
  return reader.text.slice(0, reader.at).trimEnd().length
}

/** The values as the object that they stand for. */
function placed(values: Values, shape: Shape, tool: string): JsonNode | ArgumentProblem {
  const fields = declaredFields(shape)
  const [first] = values.positional
  const single = values.positional.length === 1 && values.keyed.length === 0
  if (single && first?.kind === 'object') {
    const [field] = fields
    if (field === undefined || singleType(fieldShape(shape, field)) !== 'object') return first
  }
  const members: JsonMember[] = []
  for (const [index, value] of values.positional.entries()) {
    const key = fields[index]
    if (key === undefined) {
      return argumentProblem(
        'positional-mismatch',
        value.start,
        `${tool} takes at most ${fields.length} values: ${fieldsInWords(shape)}`,
      )
    }
    members.push({ key, keyStart: value.start, value })
  }
  members.push(...values.keyed)
  return { kind: 'object', start: members[0]?.value.start ?? 0, end: 0, members, closed: true }
}
