import type { ArgumentProblem, JsonNode, Repair, Shape } from '@tenon/kernel'
import {
  argumentProblem,
  argumentsInNode,
  declaredFields,
  faultProblem,
  fenceClosesAt,
  fenceOpening,
  isFault,
  JsonReader,
  notAnObject,
  onlyClosers,
  requiredFields,
  trimmed,
  truncated,
} from '@tenon/kernel'
import { callFormHead, readCallForm } from '../call-form.js'
import { answerInShape, callFromShape, callShape, namedByFirstKey } from '../call-object.js'
import { findTool } from '../offered-tools.js'
import type { ReadCall } from '../read-turn.js'
import type { Label } from './labels.js'
import type { TextTurn } from './text-turn.js'
import { discard, malformedAction, readAnswer } from './text-turn.js'

/** A place in the turn that may be inside a fence: then the fence's end is an end there. */
type Place = { readonly at: number; readonly fenced: boolean }

const isCut = (turn: TextTurn): boolean => turn.finish === 'length' || turn.finish === 'truncated'

function enter(turn: TextTurn, from: number): Place {
  const { text, repairs } = turn.draft
  const [at] = trimmed(text, from, turn.to)
  const fence = fenceOpening(text, at)
  if (fence === null || fence.from > turn.to) return { at, fenced: false }
  repairs.add('code-fence')
  return { at: trimmed(text, fence.from, turn.to)[0], fenced: true }
}

function readerAt(turn: TextTurn, { at, fenced }: Place): JsonReader {
  const { text } = turn.draft
  const ends = fenced
    ? (place: number) => fenceClosesAt(text, place, turn.to)
    : (place: number) => turn.labels.here(place) !== null
  return new JsonReader(text, at, turn.to, ends)
}

/** Behind the closing marks, where the place is fenced and they are there. */
function leave(turn: TextTurn, at: number, fenced: boolean): number {
  const [behind] = trimmed(turn.draft.text, at, turn.to)
  return fenced && fenceClosesAt(turn.draft.text, behind, turn.to) ? behind + 3 : at
}

/** Reads what an Action label holds. Returns where to go on when it is no action, null when the turn is decided. */
export function readAction(turn: TextTurn, label: Label): number | null {
  const { draft, labels } = turn
  const { text } = draft
  const place = enter(turn, label.from)
  if (place.at >= turn.to || (!place.fenced && labels.here(place.at) !== null)) {
    const [, end] = trimmed(text, label.from, Math.max(place.at, label.from))
    draft.problem = isCut(turn) && place.at >= turn.to ? truncated(turn.to) : malformedAction(end)
    return dropRest(turn, place.at)
  }
  if (text[place.at] === '{') return readObjectAction(turn, place)
  if (text[place.at] === '[') {
    draft.problem = malformedAction(place.at)
    return dropRest(turn, place.at)
  }
  const head = namesTool(turn, place.at) ? null : callFormHead(text, place.at)
  if (head !== null) {
    const reader = readerAt(turn, { at: head.from, fenced: place.fenced })
    const call = readCallForm(head, place.at, reader, turn.tools, [], turn.finish)
    draft.calls.push(call)
    if (call.kind === 'broken') return dropRest(turn, Math.max(reader.at, call.problem.position ?? 0))
    discard(turn, leave(turn, reader.at, place.fenced))
    return null
  }
  return readNamedAction(turn, place)
}

function endOfLine(turn: TextTurn, from: number): number {
  const { text } = turn.draft
  const feed = text.indexOf('\n', from)
  return trimmed(text, from, feed < 0 ? turn.to : Math.min(feed, turn.to))[1]
}

/** A line that is a tool's name is that, whatever it looks like. */
function namesTool(turn: TextTurn, from: number): boolean {
  return turn.tools.names.includes(turn.draft.text.slice(from, endOfLine(turn, from)))
}

/** What was written as input, up to the next label: this is what the model is shown again. */
function wholeInput(turn: TextTurn, from: number, reached: number): string {
  return turn.draft.text.slice(from, turn.labels.next(reached)?.at ?? turn.to).trim()
}

/** Drops what stands behind a call that goes back; its own input belongs to it. */
function dropRest(turn: TextTurn, from: number): null {
  let rest = from < turn.to ? turn.labels.next(from) : null
  while (rest?.name === 'action-input') rest = turn.labels.next(rest.from)
  if (rest !== null) discard(turn, rest.at)
  return null
}

function readObjectAction(turn: TextTurn, place: Place): null {
  const { draft } = turn
  const reader = readerAt(turn, place)
  const node = reader.value()
  if (isFault(node)) {
    const name = namedByFirstKey(draft.text, place.at, turn.tools) ?? ''
    draft.calls.push(broken(name, faultProblem(node), wholeInput(turn, place.at, reader.at)))
    return node.code === 'truncated-output' ? dropRest(turn, reader.at) : dropRest(turn, node.position)
  }
  const shape = callShape(node)
  if (shape === null) {
    draft.problem = malformedAction(place.at)
    return dropRest(turn, reader.at)
  }
  const answer = answerInShape(shape)
  const end = closersBehind(turn, reader, place)
  if (answer !== null) {
    draft.diagnostics.add('label-variant')
    draft.answer = answer.trim()
  } else {
    const written = draft.text.slice(place.at, reader.at)
    draft.calls.push(callFromShape(shape, turn.tools, reader.repairs, reader.unclosed.length > 0, turn.finish, written))
  }
  discard(turn, leave(turn, end, place.fenced))
  return null
}

function closersBehind(turn: TextTurn, reader: JsonReader, place: Place): number {
  const { text } = turn.draft
  reader.skip()
  const ends = (at: number): boolean =>
    place.fenced ? fenceClosesAt(text, at, turn.to) : turn.labels.here(at) !== null
  if (!onlyClosers(text, reader.at, turn.to, ends)) return reader.at
  reader.repairs.add('surplus-closers')
  let at = reader.at
  while (at < turn.to && /[\s\]}]/.test(text[at] ?? '') && !ends(at)) at++
  return at
}

const broken = (name: string, problem: ArgumentProblem, written: string): ReadCall => ({
  kind: 'broken',
  name,
  problem,
  written,
})

function readNamedAction(turn: TextTurn, place: Place): number | null {
  const { draft, labels } = turn
  const { text } = draft
  const lineEnd = endOfLine(turn, place.at)
  const name = text.slice(place.at, lineEnd)
  const bare = name.slice(0, 100).replace(/^[\s"'`*]+|[\s"'`*.]+$/g, '')
  const behind = leave(turn, lineEnd, place.fenced)
  const offered = turn.tools.names.includes(name)
  if (!offered && /^(?:none|n\/a)$/i.test(bare)) {
    draft.diagnostics.add('no-action')
    const next = labels.next(behind)
    return next?.name === 'action-input' ? (labels.next(next.from)?.at ?? turn.to) : behind
  }
  const next = labels.next(behind)
  const input = next?.name === 'action-input' ? next : null
  if (!offered && /^final[ _]answer$/i.test(bare)) {
    draft.diagnostics.add('label-variant')
    readAnswer(turn, input?.from ?? behind)
    return null
  }
  if (input?.variant) draft.diagnostics.add('label-variant')
  const made = new Set<Repair>()
  const tool = findTool(name, place.at, turn.tools, made)
  const inputPlace = input === null ? null : enter(turn, input.from)
  const empty =
    inputPlace === null || inputPlace.at >= turn.to || (!inputPlace.fenced && labels.here(inputPlace.at) !== null)
  const written = text.slice(place.at, lineEnd)
  if (empty && isCut(turn) && next === input && (inputPlace?.at ?? turn.to) >= turn.to) {
    draft.calls.push(broken('code' in tool ? name : tool.name, truncated(turn.to), written))
    return null
  }
  if ('code' in tool) {
    draft.calls.push(broken(name, tool, written))
    if (inputPlace === null) return dropRest(turn, behind)
    return dropRest(turn, text[inputPlace.at] === '{' ? behindValue(turn, inputPlace) : inputPlace.at)
  }
  if (empty || inputPlace === null) {
    if (requiredFields(tool.shape).length > 0) {
      const message = `The action ${tool.name} has no Action Input. Write "Action Input:" and a JSON object behind it`
      draft.calls.push(broken(tool.name, argumentProblem('missing-action-input', lineEnd, message), written))
      return dropRest(turn, inputPlace?.at ?? behind)
    }
    made.add('empty-arguments')
    draft.calls.push({ kind: 'call', name: tool.name, args: {}, repairs: [...made].sort(), written })
    discard(turn, input === null ? behind : (inputPlace?.at ?? behind))
    return null
  }
  return readInput(turn, tool, inputPlace, made)
}

function behindValue(turn: TextTurn, place: Place): number {
  const reader = readerAt(turn, place)
  const node = reader.value()
  return isFault(node) && node.code === 'invalid-json' ? node.position : reader.at
}

function readInput(
  turn: TextTurn,
  tool: { readonly name: string; readonly shape: Shape },
  place: Place,
  made: Set<Repair>,
): null {
  const { draft } = turn
  const { text } = draft
  const reader = readerAt(turn, place)
  reader.skip()
  if (text[reader.at] !== '{') return readBareInput(turn, tool, place, made)
  const node = reader.value()
  if (isFault(node)) {
    draft.calls.push(broken(tool.name, faultProblem(node), wholeInput(turn, place.at, reader.at)))
    return dropRest(turn, node.code === 'truncated-output' ? reader.at : node.position)
  }
  const end = closersBehind(turn, reader, place)
  for (const repair of reader.repairs) made.add(repair)
  const written = text.slice(place.at, reader.at)
  pushRead(turn, tool, node, made, reader.unclosed.length > 0, written)
  discard(turn, leave(turn, end, place.fenced))
  return null
}

function pushRead(
  turn: TextTurn,
  tool: { readonly name: string; readonly shape: Shape },
  node: JsonNode,
  made: Set<Repair>,
  unclosed: boolean,
  written: string,
): void {
  const reading = argumentsInNode(node, tool.shape, made, unclosed, turn.finish)
  turn.draft.calls.push(
    reading.ok
      ? { kind: 'call', name: tool.name, args: reading.args, repairs: reading.repairs, written }
      : broken(tool.name, reading.problem, written),
  )
}

/** Text that is no object: the value of a tool's only field, or arguments in an encoded text. */
function readBareInput(
  turn: TextTurn,
  tool: { readonly name: string; readonly shape: Shape },
  place: Place,
  made: Set<Repair>,
): null {
  const { draft, labels } = turn
  const { text } = draft
  const fenceEnd = place.fenced ? closingMarks(text, place.at, turn.to) : -1
  const until = fenceEnd >= 0 ? fenceEnd : (labels.next(place.at)?.at ?? turn.to)
  const [from, to] = trimmed(text, place.at, until)
  const written = text.slice(from, to)
  const rest = fenceEnd >= 0 ? fenceEnd + 3 : until
  const [field, second] = declaredFields(tool.shape)
  const reader = new JsonReader(text, from, to)
  const node = reader.value()
  const whole = !isFault(node) && reader.skip()
  if (field === undefined || second !== undefined) {
    if (whole && (node.kind === 'string' || (node.kind === 'literal' && node.value === null))) {
      for (const repair of reader.repairs) made.add(repair)
      pushRead(turn, tool, node, made, false, written)
    } else draft.calls.push(broken(tool.name, notAnObject(tool.shape, from), written))
    discard(turn, rest)
    return null
  }
  draft.diagnostics.add('plain-input')
  if (isCut(turn) && to >= turn.to) {
    draft.diagnostics.delete('plain-input')
    draft.calls.push(broken(tool.name, truncated(to), written))
    return null
  }
  const quoted = whole && node.kind === 'string'
  if (quoted) for (const repair of reader.repairs) made.add(repair)
  const value: JsonNode = { kind: 'string', start: from, end: to, value: quoted ? node.value : written }
  const args: JsonNode = {
    kind: 'object',
    start: from,
    end: to,
    members: [{ key: field, keyStart: from, value }],
    closed: true,
  }
  pushRead(turn, tool, args, made, false, written)
  discard(turn, rest)
  return null
}

function closingMarks(text: string, from: number, to: number): number {
  for (let at = text.indexOf('```', from); at >= 0 && at < to; at = text.indexOf('```', at + 3)) {
    if (fenceClosesAt(text, at, to)) return at
  }
  return -1
}
