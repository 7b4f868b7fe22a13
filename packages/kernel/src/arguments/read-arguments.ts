import type { ArgumentProblem } from '../content/block.js'
import type { JsonObject } from '../content/json.js'
import { isJsonObject } from '../content/json.js'
import type { MaybePromise } from '../ports/maybe-promise.js'
import { isPromise } from '../ports/maybe-promise.js'
import type { Finish } from '../ports/model.js'
import type { Checked, Schema } from '../ports/schema.js'
import {
  faultProblem,
  multipleValues,
  notAnObject,
  schemaMismatch,
  textAroundJson,
  truncated,
} from './argument-problem.js'
import { fitToSchema, strictNode } from './fit-to-schema.js'
import type { JsonNode } from './json-node.js'
import { isFault, JsonReader } from './json-reader.js'
import { losslessParse } from './lossless-parse.js'
import type { Repair } from './repair.js'
import { sortedRepairs } from './repair.js'
import type { Shape } from './schema-shape.js'
import { declaredFields, fieldShape, forbiddenKeys } from './schema-shape.js'
import { fenceClosesAt, fenceOpening, trimmed, withoutFrame } from './text-frame.js'

/** Arguments as a hand gets them, or why there are none. */
export type ArgumentReading =
  | { readonly ok: true; readonly args: JsonObject; readonly repairs: readonly Repair[] }
  | { readonly ok: false; readonly problem: ArgumentProblem }

/** How the model stopped: after `length` nothing is completed in its place. */
export type Stopped = Finish

const no = (problem: ArgumentProblem): ArgumentReading => ({ ok: false, problem })
const EMPTY: JsonObject = Object.freeze({})

const cutOff = (finish: Stopped): boolean => finish === 'length' || finish === 'truncated'

/**
 * The arguments in a node: braces that are missing at the end, arguments that are encoded once more or empty, and what
 * the schema lets be read in one way only.
 *
 * @param unclosed objects without their brace; the braces are added where all that is declared is there
 */
export function argumentsInNode(
  node: JsonNode,
  shape: Shape,
  repairs: Set<Repair>,
  unclosed: boolean,
  finish: Stopped,
): ArgumentReading {
  if (unclosed && !cutOff(finish) && everyFieldIsThere(node, shape)) repairs.add('missing-closers')
  else if (unclosed) return no(truncated(node.end))
  if (node.kind === 'literal' && node.value === null) return emptied(repairs)
  if (node.kind === 'string') {
    if (node.value.trim() === '') return emptied(repairs)
    const inner = strictNode(node.value)
    if (inner?.kind !== 'object') return no(notAnObject(shape, node.start))
    repairs.add('double-encoded')
    return finished(inner, shape, repairs, node.start)
  }
  if (node.kind !== 'object') return no(notAnObject(shape, node.start))
  return finished(node, shape, repairs)
}

function finished(node: JsonNode, shape: Shape, repairs: Set<Repair>, place?: number): ArgumentReading {
  const { value, problem } = fitToSchema(node, shape, repairs, place)
  if (problem !== null) return no(problem)
  if (!isJsonObject(value)) return no(notAnObject(shape, node.start))
  return { ok: true, args: value, repairs: sortedRepairs(repairs) }
}

function emptied(repairs: Set<Repair>): ArgumentReading {
  repairs.add('empty-arguments')
  return { ok: true, args: EMPTY, repairs: sortedRepairs(repairs) }
}

/** Every object without its brace has declared fields, and all of them are there: nothing can have been cut. */
function everyFieldIsThere(node: JsonNode, shape: Shape): boolean {
  if (node.kind !== 'object' || node.closed) return true
  const declared = declaredFields(shape)
  const given = new Set(node.members.map((member) => member.key))
  if (declared.length === 0 || !declared.every((key) => given.has(key))) return false
  const last = node.members.at(-1)
  if (last === undefined) return false
  return everyFieldIsThere(last.value, fieldShape(shape, last.key))
}

/**
 * Reads the text that a model gave as arguments, without checking them: lossless repairs are made and named, all else is
 * a problem with its place. `schema` is the tool's JSON Schema.
 */
export function readArgumentText(text: string, schema: JsonObject, finish: Stopped = 'stop'): ArgumentReading {
  const shape: Shape = { schema, root: schema }
  const repairs = new Set<Repair>()
  let [from, to] = withoutFrame(text, repairs)
  if (from === to) return emptied(repairs)
  const fence = fenceOpening(text, from)
  if (fence !== null) {
    repairs.add('code-fence')
    from = fence.from
  }
  const closing = (at: number): boolean => fence !== null && fenceClosesAt(text, at, to)
  const reader = new JsonReader(text, from, to, closing)
  if (reader.skip() && fence !== null) return emptied(repairs)
  const start = reader.at
  const node = reader.value()
  if (isFault(node)) {
    if (node.position === start && node.reason === 'token' && holdsJson(text, start, to))
      return no(textAroundJson(start))
    return no(faultProblem(node))
  }
  reader.skip()
  if (reader.at < to && !closing(reader.at)) {
    const rest = reader.at
    if (!onlyClosers(text, rest, to, closing)) return no(afterValue(node, text, rest, to))
    repairs.add('surplus-closers')
    while (reader.at < to && /[\s\]}]/.test(text[reader.at] ?? '')) reader.at++
  }
  if (closing(reader.at)) {
    const behind = trimmed(text, reader.at + 3, to)
    if (behind[0] < behind[1]) return no(textAroundJson(behind[0]))
  }
  for (const repair of reader.repairs) repairs.add(repair)
  return argumentsInNode(node, shape, repairs, reader.unclosed.length > 0, finish)
}

/** Closing brackets and nothing else up to the end. */
export function onlyClosers(text: string, from: number, to: number, ends: (at: number) => boolean): boolean {
  let at = from
  while (at < to && !ends(at) && /[\s\]}]/.test(text[at] ?? '')) at++
  return at > from && (at >= to || ends(at))
}

function afterValue(node: JsonNode, text: string, at: number, to: number): ArgumentProblem {
  const char = text[at] ?? ''
  // Behind a value that is no object, punctuation means that the object's opening brace is missing.
  if (node.kind !== 'object' && /[:,}：，]/.test(char)) {
    return faultProblem({ code: 'invalid-json', position: at, reason: 'token', field: null, open: '' })
  }
  const second = new JsonReader(text, at, to)
  const value = second.value()
  const isSecond = !isFault(value) && (value.kind === 'object' || value.kind === 'list' || second.skip())
  return isSecond ? multipleValues(at) : textAroundJson(at)
}

function holdsJson(text: string, from: number, to: number): boolean {
  const brace = text.indexOf('{', from)
  return brace >= 0 && brace < to && !isFault(new JsonReader(text, brace, to).value())
}

/** A tool's name and what its arguments are checked against. */
export type ArgumentTarget = { readonly name: string; readonly input: Schema }

/**
 * The arguments of a call, read and checked: the one way to them, for native calls and prompted ones alike. Text that
 * is JSON and fits costs one parse and one check.
 *
 * @param source what the model wrote, or the value where a dialect has read it already
 */
export function readArguments(
  source: string | JsonObject,
  tool: ArgumentTarget,
  finish: Stopped = 'stop',
): MaybePromise<ArgumentReading> {
  const value = typeof source === 'string' ? losslessParse(source) : source
  if (!isJsonObject(value)) return readSlowly(source, tool, finish)
  const checked = tool.input.check(value)
  if (isPromise(checked)) return checked.then((done) => asWritten(done) ?? readSlowly(source, tool, finish))
  return asWritten(checked) ?? readSlowly(source, tool, finish)
}

function asWritten(checked: Checked): ArgumentReading | null {
  return checked.ok && isJsonObject(checked.value) ? { ok: true, args: checked.value, repairs: [] } : null
}

function readSlowly(source: string | JsonObject, tool: ArgumentTarget, finish: Stopped): MaybePromise<ArgumentReading> {
  const text = typeof source === 'string' ? source : JSON.stringify(source)
  const reading = readArgumentText(text, tool.input.json, finish)
  if (!reading.ok) return reading
  const checked = tool.input.check(reading.args)
  if (isPromise(checked)) return checked.then((done) => withCheck(reading, done, tool))
  return withCheck(reading, checked, tool)
}

function withCheck(
  reading: ArgumentReading & { readonly ok: true },
  checked: Checked,
  tool: ArgumentTarget,
): ArgumentReading {
  if (checked.ok) return isJsonObject(checked.value) ? { ...reading, args: checked.value } : reading
  const shape: Shape = { schema: tool.input.json, root: tool.input.json }
  return no(schemaMismatch(tool.name, shape, checked.problems, forbiddenKeys(shape, reading.args)))
}
