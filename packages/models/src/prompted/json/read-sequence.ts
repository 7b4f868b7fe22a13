import type { JsonFault, JsonNode, Repair } from '@tenon/kernel'
import { faultProblem, isFault, JsonReader, onlyClosers, truncated } from '@tenon/kernel'
import { callFormHead, readCallForm } from '../call-form.js'
import { answerInShape, callFromShape, callShape, namedByFirstKey } from '../call-object.js'
import { isOffered } from '../offered-tools.js'
import type { ReadCall } from '../read-turn.js'
import type { CallGroup, JsonContext, NoCalls } from './call-group.js'
import { brokenCall, isGroup, malformedCall, skipBlanks } from './call-group.js'
import { skipBroken } from './skip-broken.js'

type Ends = (at: number) => boolean

/** Call objects and lists of them in a row, from `start` on. Other JSON is passed over. */
export function readSequence(context: JsonContext, start: number, ends: Ends): CallGroup | NoCalls {
  const { text, to } = context
  const calls: ReadCall[] = []
  let trailingComma = false
  let end = start
  for (;;) {
    const at = skipBlanks(text, end, to)
    if (at >= to || ends(at)) break
    const read =
      text[at] === '{' ? readItem(context, at, ends) : text[at] === '[' ? readCallList(context, at, ends) : null
    if (read === null) break
    if (!isGroup(read)) {
      if (calls.length === 0) return read
      break
    }
    if (read.answer !== null) {
      if (calls.length === 0) return { ...read, start }
      break
    }
    calls.push(...read.calls)
    trailingComma ||= read.trailingComma
    end = read.end
  }
  if (calls.length === 0) return { skipTo: start + 1 }
  return { start, end, calls, answer: null, diagnostics: [], trailingComma }
}

const group = (start: number, end: number, call: ReadCall): CallGroup => ({
  start,
  end,
  calls: [call],
  answer: null,
  diagnostics: [],
  trailingComma: false,
})

/** The text of an object that is nothing but the answer. */
function answerIn(node: JsonNode): string | null {
  if (node.kind !== 'object' || node.members.length !== 1) return null
  const [member] = node.members
  return member?.key === 'final_answer' && member.value.kind === 'string' ? member.value.value : null
}

function readItem(context: JsonContext, at: number, ends: Ends): CallGroup | NoCalls {
  const { text, to, tools, finish } = context
  if (context.budget.left <= 0) return { skipTo: to }
  const reader = new JsonReader(text, at, to, ends)
  const node = reader.value()
  if (isFault(node)) return readBroken(context, at, reader.at, node)
  const shape = callShape(node)
  const answer = shape === null ? answerIn(node) : answerInShape(shape)
  const end = reader.at
  if (answer !== null && node.kind === 'object' && node.closed) {
    return { start: at, end, calls: [], answer: answer.trim(), diagnostics: [], trailingComma: false }
  }
  if (shape === null) {
    const named = node.kind === 'object' && !node.closed ? namedByFirstKey(text, at, tools) : null
    if (named === null) return { skipTo: end }
    return group(at, end, brokenCall(named, truncated(node.end), text.slice(at, end)))
  }
  const written = text.slice(at, end)
  reader.skip()
  let behind = end
  if (onlyClosers(text, reader.at, to, ends)) {
    reader.repairs.add('surplus-closers')
    behind = reader.at
    while (behind < to && !ends(behind) && /[\s\]}]/.test(text[behind] ?? '')) behind++
  }
  return group(at, behind, callFromShape(shape, tools, reader.repairs, reader.unclosed.length > 0, finish, written))
}

/** Broken JSON is a call where its first key names an offered tool. */
function readBroken(context: JsonContext, at: number, reached: number, fault: JsonFault): CallGroup | NoCalls {
  const { text, to, tools } = context
  const named = namedByFirstKey(text, at, tools)
  context.budget.left -= reached - at + 1
  if (named === null) return { skipTo: at + 1 }
  const skipped = fault.code === 'invalid-json' ? skipBroken(text, fault, to) : to
  const end = skipped < 0 ? to : skipped
  return group(at, end, brokenCall(named, faultProblem(fault), text.slice(at, end)))
}

/** A list of call objects. One that is not closed goes back as one; of others each whole call goes. */
export function readCallList(context: JsonContext, start: number, ends: Ends): CallGroup | NoCalls {
  const { text, to, tools, finish } = context
  if (context.budget.left <= 0) return { skipTo: to }
  const calls: ReadCall[] = []
  let shaped = false
  let trailingComma = false
  let at = start + 1
  for (let comma = false; ; comma = true) {
    const gap = new JsonReader(text, at, to, ends)
    if (gap.skip()) return shaped ? unclosedList(context, start, gap.at, calls) : { skipTo: start + 1 }
    at = gap.at
    if (text[at] === ']') {
      trailingComma = comma && calls.length > 0
      break
    }
    const reader = new JsonReader(text, at, to, ends)
    const node = reader.value()
    if (isFault(node)) {
      const named = namedByFirstKey(text, at, tools)
      if (!shaped && named === null) {
        context.budget.left -= reader.at - start + 1
        return { skipTo: start + 1 }
      }
      if (node.code === 'truncated-output') return unclosedList(context, start, reader.at, calls, named ?? '')
      const end = skipBroken(text, node, to)
      calls.push(brokenCall(named ?? '', faultProblem(node), text.slice(at, end < 0 ? to : end)))
      shaped = true
      if (end < 0) return listed(start, endOfList(context, node.position, ends), calls, false)
      at = end
    } else {
      const shape = callShape(node)
      const written = text.slice(node.start, node.end)
      if (shape !== null) {
        calls.push(callFromShape(shape, tools, reader.repairs, false, finish, written))
        shaped = true
      } else if (reader.unclosed.length > 0) {
        return shaped ? unclosedList(context, start, reader.at, calls) : { skipTo: start + 1 }
      } else calls.push(brokenCall('', malformedCall(node.start), written))
      if (reader.unclosed.length > 0) return unclosedList(context, start, reader.at, calls)
      at = reader.at
    }
    const behind = new JsonReader(text, at, to, ends)
    if (behind.skip()) return shaped ? unclosedList(context, start, behind.at, calls) : { skipTo: start + 1 }
    at = behind.at
    if (text[at] === ']') break
    if (!behind.comma()) {
      if (!shaped) return { skipTo: start + 1 }
      const fault = { code: 'invalid-json', position: at, reason: 'token', field: null, open: '[' } as const
      calls.push(brokenCall('', faultProblem(fault), text.slice(at, to)))
      return listed(start, endOfList(context, at, ends), calls, false)
    }
    at = behind.at
  }
  if (!shaped) return { skipTo: at + 1 }
  return listed(start, at + 1, calls, trailingComma)
}

const listed = (start: number, end: number, calls: readonly ReadCall[], trailingComma: boolean): CallGroup => ({
  start,
  end,
  calls,
  answer: null,
  diagnostics: [],
  trailingComma,
})

function unclosedList(
  context: JsonContext,
  start: number,
  end: number,
  calls: readonly ReadCall[],
  named = '',
): CallGroup {
  const written = context.text.slice(start, end).trimEnd()
  const name = calls.find((call) => call.name !== '')?.name ?? named
  return listed(start, end, [brokenCall(name, truncated(start + written.length), written)], false)
}

/** The end of a list in which something is broken: where its surroundings say so. */
function endOfList(context: JsonContext, from: number, ends: Ends): number {
  for (let at = from; at < context.to; at++) if (ends(at)) return at
  return context.to
}

/** `[f(k=v), …]` as the whole output. */
export function readFormList(context: JsonContext, start: number): CallGroup | null {
  const { text, to, tools, finish } = context
  const calls: ReadCall[] = []
  const repairs = new Set<Repair>()
  let at = skipBlanks(text, start + 1, to)
  const first = callFormHead(text, at)
  if (first === null) return null
  for (;;) {
    const head = callFormHead(text, at)
    if (head === null) return null
    const reader = new JsonReader(text, head.from, to)
    const call = readCallForm(head, at, reader, tools, [], finish)
    if (call.kind === 'broken' && !['schema-mismatch', 'unknown-tool', 'ambiguous-tool'].includes(call.problem.code)) {
      if (!isOffered(first.name, tools)) return null
      // Where the form itself broke, what stands behind it cannot be told apart.
      const whole = call.problem.code === 'truncated-output'
      const all = whole ? [call] : [...calls, call]
      return { ...listed(start, to, all, false), diagnostics: ['native-markers'] }
    }
    calls.push(call)
    const gap = new JsonReader(text, reader.at, to)
    if (gap.skip()) {
      if (!isOffered(first.name, tools)) return null
      return { ...unclosedList(context, start, to, calls), diagnostics: ['native-markers'] }
    }
    at = gap.at
    if (text[at] === ']') break
    if (!gap.comma()) return null
    for (const repair of gap.repairs) repairs.add(repair)
    at = skipBlanks(text, gap.at, to)
    if (text[at] === ']') break
  }
  if (skipBlanks(text, at + 1, to) < to) return null
  return { ...listed(start, to, calls, false), diagnostics: ['native-markers'] }
}
