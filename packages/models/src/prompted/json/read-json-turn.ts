import type { Finish } from '@tenon/kernel'
import { fenceClosesAt, fenceOpening } from '@tenon/kernel'
import type { OfferedTools } from '../offered-tools.js'
import { labelAt } from '../react-text/labels.js'
import type { ReadTurn, TurnDraft, TurnWords } from '../read-turn.js'
import { addThought, readTurn, turnDraft } from '../read-turn.js'
import { turnStart } from '../turn-start.js'
import type { CallGroup, JsonContext } from './call-group.js'
import { isGroup, nextWord, skipBlanks } from './call-group.js'
import { MARKER, readMarkers } from './read-markers.js'
import { readFormList, readSequence } from './read-sequence.js'

const JSON_WORDS: TurnWords = {
  action: 'a call as JSON with "name" and "arguments"',
  answer: 'the answer as plain text',
  form: '{"name": "NAME", "arguments": {…}}',
}

const CALL_FENCES: readonly string[] = ['', 'json', 'json5', 'jsonc', 'tool_call', 'tool']

/** Reads a whole output that calls by JSON objects or in a model's own markers. Never throws. */
export function readJsonTurn(text: string, tools: OfferedTools, finish: Finish): ReadTurn {
  const draft = turnDraft(text)
  const [from, to] = turnStart(draft)
  if (from < to) {
    const context: JsonContext = {
      text,
      to,
      tools,
      finish,
      budget: { left: 2 * (to - from) + 1_000 },
      absent: new Map(),
    }
    const group = findGroup(context, from)
    if (group === null) draft.answer = text.slice(from, to)
    else take(draft, context, group, from)
  }
  return readTurn(draft, JSON_WORDS)
}

function take(draft: TurnDraft, context: JsonContext, group: CallGroup, from: number): void {
  const prose = addThought(draft, from, group.start)
  if (prose && group.answer === null) draft.said = draft.text.slice(from, group.start).trim()
  draft.calls.push(...group.calls)
  draft.answer = group.answer
  if (group.trailingComma) draft.repairs.add('trailing-comma')
  for (const diagnostic of group.diagnostics) draft.diagnostics.add(diagnostic)
  const { text, to } = context
  const rest = skipBlanks(text, group.end, to)
  if (rest >= to) return
  draft.discarded = text.slice(rest, to)
  if (/^<(?:tool_response|observation)>/i.test(text.slice(rest, rest + 16)) || startsObservation(text, rest, to)) {
    draft.diagnostics.add('invented-observation')
  } else if (group.answer !== null) draft.diagnostics.add('text-after-answer')
  else if (/^\{\s*"(?:final_answer"|action"\s*:\s*"Final Answer")/.test(text.slice(rest, rest + 60))) {
    draft.diagnostics.add('final-answer-with-call')
  } else draft.diagnostics.add('text-after-call')
}

const startsObservation = (text: string, at: number, to: number): boolean =>
  labelAt(text, at, to)?.name === 'observation'

/** The first calls that count: in markers anywhere, as JSON with nothing before or nothing behind it. */
function findGroup(context: JsonContext, from: number): CallGroup | null {
  const { text, to } = context
  if (text[from] === '[') {
    const forms = readFormList(context, from)
    if (forms !== null) return forms
  }
  const markers = new MarkerPlaces(text, from, to)
  let at = from
  let lineStart = true
  while (at < to) {
    if (lineStart) {
      const first = skipIndent(text, at, to)
      const fence = fenceOpening(text, first)
      if (fence !== null) {
        const group = CALL_FENCES.includes(fence.language) ? readFenced(context, first, fence.from) : null
        if (group !== null && stands(context, group, from)) return group
        at = group?.end ?? behindFence(context, fence.from)
        lineStart = false
        continue
      }
      if (text[first] === '{' || (text[first] === '[' && !text.startsWith('[TOOL_CALLS]', first))) {
        const read = readSequence(context, first, closesToolCall(text))
        if (isGroup(read)) {
          const group = extend(context, read)
          if (stands(context, group, from)) return group
          at = group.end
        } else at = read.skipTo
        lineStart = false
        continue
      }
    }
    const feed = text.indexOf('\n', at)
    const lineEnd = feed < 0 || feed > to ? to : feed
    const marked = markersIn(context, markers, at, lineEnd)
    if (marked !== null) return extend(context, marked)
    at = lineEnd + 1
    lineStart = true
  }
  return null
}

const closesToolCall = (text: string) => (at: number) => text.startsWith('</tool_call>', at)

/** All places where a marker may begin, in order; asked for them line by line. */
class MarkerPlaces {
  private readonly places: number[] = []
  private next = 0

  constructor(text: string, from: number, to: number) {
    MARKER.lastIndex = from
    for (let found = MARKER.exec(text); found !== null && found.index < to; found = MARKER.exec(text)) {
      this.places.push(found.index)
    }
  }

  /** The next place in a part of the text; each call begins where the last one ended, or behind. */
  in(from: number, to: number): number {
    while ((this.places[this.next] ?? to) < from) this.next++
    const place = this.places[this.next] ?? to
    if (place >= to) return -1
    this.next++
    return place
  }
}

function markersIn(context: JsonContext, markers: MarkerPlaces, from: number, to: number): CallGroup | null {
  for (let place = markers.in(from, to); place >= 0; place = markers.in(place, to)) {
    if (context.budget.left <= 0) return null
    const group = readMarkers(context, place)
    if (group !== null) return group
  }
  return null
}

/** Adds what stands in a row with a group, and the end tag of a wrapper whose opening one lacks. */
function extend(context: JsonContext, first: CallGroup): CallGroup {
  const { text, to } = context
  let group = first
  for (;;) {
    const at = skipBlanks(text, group.end, to)
    if (at >= to || group.answer !== null) return group
    if (text.startsWith('</tool_call>', at)) {
      const diagnostics = [...new Set([...group.diagnostics, 'native-markers' as const])]
      group = { ...group, end: at + '</tool_call>'.length, diagnostics }
      continue
    }
    const next = groupAt(context, at)
    if (next === null || next.answer !== null) return group
    group = {
      ...group,
      end: next.end,
      calls: [...group.calls, ...next.calls],
      diagnostics: [...new Set([...group.diagnostics, ...next.diagnostics])],
      trailingComma: group.trailingComma || next.trailingComma,
    }
  }
}

function groupAt(context: JsonContext, at: number): CallGroup | null {
  const { text } = context
  const fence = fenceOpening(text, at)
  if (fence !== null) return CALL_FENCES.includes(fence.language) ? readFencedAlone(context, at, fence.from) : null
  const marked = readMarkers(context, at)
  if (marked !== null || (text[at] !== '{' && text[at] !== '[')) return marked
  const read = readSequence(context, at, closesToolCall(text))
  return isGroup(read) ? read : null
}

function readFenced(context: JsonContext, start: number, from: number): CallGroup | null {
  const group = readFencedAlone(context, start, from)
  return group === null ? null : extend(context, group)
}

/** What a fence holds, where it is calls or an answer and nothing else. */
function readFencedAlone(context: JsonContext, start: number, from: number): CallGroup | null {
  const { text, to } = context
  const at = skipBlanks(text, from, to)
  const ends = (place: number): boolean => fenceClosesAt(text, place, to)
  const read = text[at] === '{' || text[at] === '[' ? readSequence(context, at, ends) : readMarkers(context, at)
  const group = isGroup(read) ? read : null
  if (group === null) return null
  const broken = group.calls.at(-1)?.kind === 'broken'
  const end = broken ? behindFence(context, lastFault(group, at)) : fenceEndBehind(text, group.end, to)
  return end < 0 ? null : { ...group, start, end }
}

/** Where a group in a fence ends, the fence included; -1 where something else stands in the fence. */
function fenceEndBehind(text: string, at: number, to: number): number {
  const end = skipBlanks(text, at, to)
  if (end >= to) return to
  return fenceClosesAt(text, end, to) ? end + 3 : -1
}

function lastFault(group: CallGroup, at: number): number {
  const last = group.calls.at(-1)
  return last?.kind === 'broken' ? Math.max(last.problem.position ?? at, at) : at
}

/** Behind the fence whose content begins at `from`. */
function behindFence(context: JsonContext, from: number): number {
  const { text, to } = context
  for (let at = nextWord(context, '```', from); at >= 0; at = nextWord(context, '```', at + 3)) {
    if (fenceClosesAt(text, at, to) && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 20), at))) return at + 3
  }
  return to
}

function skipIndent(text: string, from: number, to: number): number {
  let at = from
  while (at < to && (text[at] === ' ' || text[at] === '\t')) at++
  return at
}

/** JSON is a call only where nothing stands before it or nothing behind it: between sentences it is an example. */
function stands(context: JsonContext, group: CallGroup, from: number): boolean {
  const { text, to } = context
  if (group.diagnostics.includes('native-markers') && !text.startsWith('```', group.start)) return true
  return skipBlanks(text, from, to) >= group.start || skipBlanks(text, group.end, to) >= to
}
