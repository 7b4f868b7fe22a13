import type { ArgumentProblem, JsonReader as Reader } from '@tenon/kernel'
import {
  argumentProblem,
  faultProblem,
  fenceClosesAt,
  fenceOpening,
  isFault,
  JsonReader,
  multipleValues,
  onlyClosers,
  textAroundJson,
  trimmed,
  truncated,
} from '@tenon/kernel'
import { callFormHead, readCallForm } from '../call-form.js'
import { answerInShape, callFromShape, callShape, namedByFirstKey } from '../call-object.js'
import type { ReadCall } from '../read-turn.js'
import type { Tag } from './tags.js'
import type { XmlTurn } from './xml-turn.js'
import { discard, tagFrom } from './xml-turn.js'

type Content = {
  readonly turn: XmlTurn
  readonly from: number
  readonly fenced: boolean
  /** True where the content may end: at a tag, or at the end of its fence. */
  readonly ends: (at: number) => boolean
}

/** What stands in the action: a call or the answer, and where it ends. */
type Found =
  | { readonly kind: 'call'; readonly call: ReadCall; readonly end: number; readonly more?: boolean }
  | { readonly kind: 'answer'; readonly text: string; readonly end: number }
  | { readonly kind: 'none'; readonly problem: ArgumentProblem; readonly end: number }

const isCut = (turn: XmlTurn): boolean => turn.finish === 'length' || turn.finish === 'truncated'

const malformed = (position: number): ArgumentProblem =>
  argumentProblem(
    'malformed-call',
    position,
    'The action has no form that can be read. Write <action>{"name": "NAME", "arguments": {…}}</action>',
  )

/** Reads one action: a call object, the first of a list, or a call form, bare or fenced. */
export function readXmlAction(turn: XmlTurn, tag: Tag): void {
  const { draft } = turn
  const { text } = draft
  const content = enter(turn, tag)
  const found = readContent(content)
  if (found.kind === 'none') draft.problem = found.problem
  else if (found.kind === 'answer') {
    draft.diagnostics.add('label-variant')
    draft.answer = found.text.trim()
  }
  const call = found.kind === 'call' ? found.call : null
  if (found.kind === 'none' || call?.kind === 'broken') {
    if (call !== null) draft.calls.push({ ...call, written: wholeContent(content, found.end) })
    dropRest(turn, found.end)
    return
  }
  if (found.kind === 'call' && found.more) {
    if (call !== null) draft.calls.push(call)
    draft.discarded = text.slice(found.end, turn.to).trim()
    draft.diagnostics.add('extra-action')
    return
  }
  let [end] = trimmed(text, found.end, turn.to)
  if (content.fenced && closesFence(turn, end)) [end] = trimmed(text, end + 3, turn.to)
  const next = tagFrom(turn, end)
  if (end < turn.to && next?.at !== end) {
    const closesTurn = turn.fenced && fenceClosesAt(text, end, turn.to)
    if (!closesTurn) {
      const name = call?.name ?? ''
      draft.answer = null
      draft.calls.push({ kind: 'broken', name, problem: surplus(content, end), written: text.slice(content.from, end) })
      dropRest(turn, end)
      return
    }
  }
  if (call !== null) draft.calls.push(call)
  const closed = next?.at === end && next.closing && next.name === 'action'
  if (!closed) draft.diagnostics.add('unclosed-tag')
  discard(turn, closed ? (next?.end ?? end) : end)
}

/** What the action held, up to the tag that ends it: this is what the model is shown again. */
function wholeContent({ turn, from }: Content, end: number): string {
  return turn.draft.text.slice(from, tagFrom(turn, end)?.at ?? turn.to).trim()
}

/** After a call that goes back: on behind its closing tag, or at the next tag. */
function dropRest(turn: XmlTurn, from: number): void {
  const next = tagFrom(turn, from)
  if (next !== undefined) discard(turn, next.closing && next.name === 'action' ? next.end : next.at)
}

function enter(turn: XmlTurn, tag: Tag): Content {
  const { text, repairs } = turn.draft
  const [at] = trimmed(text, tag.end, turn.to)
  const fence = fenceOpening(text, at)
  const isTag = (place: number): boolean => text[place] === '<' && tagFrom(turn, place)?.at === place
  if (fence === null) return { turn, from: at, fenced: false, ends: isTag }
  repairs.add('code-fence')
  const [from] = trimmed(text, fence.from, turn.to)
  const ends = (place: number): boolean => isTag(place) || closesFence(turn, place)
  return { turn, from, fenced: true, ends }
}

/** Marks that close a fence in an action; its closing tag may follow on their line. */
function closesFence(turn: XmlTurn, at: number): boolean {
  const { text } = turn.draft
  return fenceClosesAt(text, at, turn.to) || (text.startsWith('```', at) && tagFrom(turn, at)?.at === at + 3)
}

function readContent(content: Content): Found {
  const { turn, from, ends } = content
  const { text } = turn.draft
  if (from >= turn.to && isCut(turn)) return { kind: 'none', problem: truncated(turn.to), end: from }
  if (from >= turn.to || ends(from)) return { kind: 'none', problem: malformed(lastTextBefore(content)), end: from }
  if (text[from] === '{') return readObject(content, from)
  if (text[from] === '[') return readList(content)
  const head = callFormHead(text, from)
  if (head !== null) return readForm(content, head, from)
  const name = /[\w.\-/:]*/y
  name.lastIndex = from
  const word = name.exec(text)?.[0] ?? ''
  const cut = isCut(turn) && tagFrom(turn, from) === undefined
  return { kind: 'none', problem: cut ? truncated(turn.to) : malformed(from + word.length), end: from }
}

/** Where an empty action breaks off: right behind its tag or its fence. */
function lastTextBefore({ turn, from }: Content): number {
  const { text } = turn.draft
  let at = from
  while (/\s/.test(text[at - 1] ?? '')) at--
  return at
}

function readForm(content: Content, head: { readonly name: string; readonly from: number }, at: number): Found {
  const { turn, ends } = content
  const reader = new JsonReader(turn.draft.text, head.from, turn.to, ends)
  const call = readCallForm(head, at, reader, turn.tools, [], turn.finish)
  return { kind: 'call', call, end: call.kind === 'broken' ? behind(reader, call.problem) : reader.at }
}

const behind = (reader: Reader, problem: ArgumentProblem): number =>
  problem.code === 'invalid-json' ? Math.max(problem.position ?? 0, reader.at) : reader.at

function readObject(content: Content, at: number, listed = false): Found {
  const { turn, ends } = content
  const { text } = turn.draft
  const reader = new JsonReader(text, at, turn.to, ends)
  const node = reader.value()
  if (isFault(node)) {
    const name = namedByFirstKey(text, at, turn.tools) ?? ''
    const call: ReadCall = { kind: 'broken', name, problem: faultProblem(node), written: text.slice(at, reader.at) }
    return { kind: 'call', call, end: node.code === 'invalid-json' ? node.position : reader.at }
  }
  const shape = callShape(node)
  if (shape === null) return { kind: 'none', problem: malformed(at), end: reader.at }
  const answer = answerInShape(shape)
  if (answer !== null) return { kind: 'answer', text: answer, end: reader.at }
  const written = text.slice(at, reader.at)
  reader.skip()
  if (!listed && onlyClosers(text, reader.at, turn.to, ends)) {
    reader.repairs.add('surplus-closers')
    while (!ends(reader.at) && /[\s\]}]/.test(text[reader.at] ?? '')) reader.at++
  }
  const call = callFromShape(shape, turn.tools, reader.repairs, reader.unclosed.length > 0, turn.finish, written)
  return { kind: 'call', call, end: reader.at }
}

/** Of a list of calls the first is taken; a list that is not closed goes back as one. */
function readList(content: Content): Found {
  const { turn, from, ends } = content
  const { text } = turn.draft
  const [at] = trimmed(text, from + 1, turn.to)
  const head = callFormHead(text, at)
  let first: Found
  if (text[at] === '{') {
    const reader = new JsonReader(text, from, turn.to, ends)
    const whole = reader.value()
    if (isFault(whole) && whole.code === 'truncated-output') {
      const written = text.slice(from, reader.at)
      const name = namedByFirstKey(text, at, turn.tools) ?? ''
      return { kind: 'call', call: { kind: 'broken', name, problem: faultProblem(whole), written }, end: reader.at }
    }
    first = readObject(content, at, true)
  } else if (head !== null) first = readForm(content, head, at)
  else return { kind: 'none', problem: malformed(from), end: from }
  if (first.kind !== 'call' || first.call.kind === 'broken') return first
  const [next] = trimmed(text, first.end, turn.to)
  if (text[next] === ']') return { ...first, end: next + 1 }
  if (text[next] === ',') return { ...first, more: true }
  const problem = next >= turn.to || ends(next) ? truncated(trimmed(text, 0, next)[1]) : malformed(next)
  const { name, written } = first.call
  return { kind: 'call', call: { kind: 'broken', name, problem, written }, end: next }
}

function surplus(content: Content, at: number): ArgumentProblem {
  const { text } = content.turn.draft
  return text[at] === '{' || callFormHead(text, at) !== null ? multipleValues(at) : textAroundJson(at)
}
