import type { Finish } from '@tenon/kernel'
import { fenceClosesAt, fenceOpening, trimmed } from '@tenon/kernel'
import type { OfferedTools } from '../offered-tools.js'
import type { ReadTurn, TurnDraft, TurnWords } from '../read-turn.js'
import { addThought, readTurn, turnDraft } from '../read-turn.js'
import { turnStart } from '../turn-start.js'
import { readXmlAction } from './read-xml-action.js'
import type { Tag } from './tags.js'
import { tagsIn } from './tags.js'
import type { XmlTurn } from './xml-turn.js'
import { discard } from './xml-turn.js'

const REACT_XML_WORDS: TurnWords = {
  action: 'one <action>',
  answer: 'one <final_answer>',
  form: '<action>{"name": "NAME", "arguments": {…}}</action>',
}

/** Reads a whole output in the tags thought, action, observation and final_answer. Never throws. */
export function readReactXml(text: string, tools: OfferedTools, finish: Finish): ReadTurn {
  const draft = turnDraft(text)
  const [start, end] = turnStart(draft)
  const { from, to, fenced } = insideFence(draft, start, end)
  const turn: XmlTurn = { draft, tags: tagsIn(text, from, to), tools, finish, to, fenced }
  if (from < to) readParts(turn, from)
  return readTurn(draft, REACT_XML_WORDS)
}

/** A fence around the whole turn comes off. */
function insideFence(
  draft: TurnDraft,
  from: number,
  to: number,
): { readonly from: number; readonly to: number; readonly fenced: boolean } {
  const { text } = draft
  const fence = fenceOpening(text, from)
  if (fence === null) return { from, to, fenced: false }
  const [inner] = trimmed(text, fence.from, to)
  if (!/^<(?:thought|action|final_answer)\s*>/i.test(text.slice(inner, inner + 24))) return { from, to, fenced: false }
  draft.repairs.add('code-fence')
  const last = text.lastIndexOf('```', to - 1)
  const closed = last > inner && fenceClosesAt(text, last, to) && text.slice(last + 3, to).trim() === ''
  return { from: inner, to: closed ? trimmed(text, inner, last)[1] : to, fenced: true }
}

/** For each tag the index of the next tag of a thought, opening or closing; the number of tags where there is none. */
function nextThoughts(tags: readonly Tag[]): readonly number[] {
  const next = new Array<number>(tags.length)
  let index = tags.length
  for (let i = tags.length - 1; i >= 0; i--) {
    next[i] = index
    if (tags[i]?.name === 'thought') index = i
  }
  return next
}

function readParts(turn: XmlTurn, from: number): void {
  const { draft, tags } = turn
  if (tags.length === 0) {
    draft.answer = draft.text.slice(from, turn.to).trim()
    draft.diagnostics.add('plain-answer')
    return
  }
  const nextThought = nextThoughts(tags)
  let at = from
  for (let i = 0; ; ) {
    const tag = tags[i]
    if (tag === undefined) {
      addUnlabelled(turn, at, turn.to)
      return
    }
    const before = openFence(turn, tag, at)
    addUnlabelled(turn, at, before)
    if (tag.closing) {
      at = tag.end
      i++
    } else if (tag.name === 'thought') {
      const end = tags[nextThought[i] ?? tags.length]
      if (end?.closing) {
        addThought(draft, tag.end, end.at)
        at = end.end
        i = (nextThought[i] ?? i) + 1
      } else {
        draft.diagnostics.add('unclosed-tag')
        at = tags[i + 1]?.at ?? turn.to
        addThought(draft, tag.end, at)
        i++
      }
    } else {
      if (tag.name === 'observation') discard(turn, tag.at)
      else if (tag.name === 'final_answer') readAnswer(turn, tag, i)
      else readXmlAction({ ...turn, fenced: turn.fenced || before < tag.at }, tag)
      return
    }
  }
}

function addUnlabelled(turn: XmlTurn, from: number, to: number): void {
  if (addThought(turn.draft, from, to)) turn.draft.diagnostics.add('thought-unlabelled')
}

/** Where the text before a tag ends: at a fence that opens right before an action. */
function openFence(turn: XmlTurn, tag: Tag, from: number): number {
  if (tag.name !== 'action' || tag.closing) return tag.at
  const opened = /(?:^|\n)[ \t]*```[\w+-]*\s*$/.exec(turn.draft.text.slice(Math.max(from, tag.at - 40), tag.at))
  if (opened === null) return tag.at
  turn.draft.repairs.add('code-fence')
  return tag.at - opened[0].length
}

function readAnswer(turn: XmlTurn, tag: Tag, index: number): void {
  const { draft, tags } = turn
  const end = tags.find((other, i) => i > index && other.closing && other.name === 'final_answer')
  if (end === undefined) draft.diagnostics.add('unclosed-tag')
  draft.answer = draft.text.slice(tag.end, end?.at ?? turn.to).trim()
  if (end !== undefined) discard(turn, end.end)
}
