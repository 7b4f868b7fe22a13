import type { Finish, Json, JsonObject, ModelBlock } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import type { AnswerContext, AnswerReader, Ending } from '../wire/answer-state.js'
import { AnswerState } from '../wire/answer-state.js'
import { ArgumentText } from '../wire/argument-text.js'
import { callBlock } from '../wire/call-draft.js'
import { finishOf } from '../wire/finish-word.js'
import type { BlockSlot } from '../wire/ordered-blocks.js'
import { OrderedBlocks } from '../wire/ordered-blocks.js'
import { wellFormed } from '../wire/well-formed.js'

/** A content block while it arrives: its start as sent, and what the deltas added. */
type Draft = {
  readonly start: JsonObject
  readonly slot: BlockSlot
  text: string
  signature: string
  readonly citations: Json[]
  readonly input: ArgumentText
  stopped: boolean
}

/** Block types that this dialect knows more about than to keep them for the round trip. */
const KINDS: Readonly<Record<string, ModelBlock['kind']>> = {
  text: 'text',
  thinking: 'reasoning',
  redacted_thinking: 'reasoning',
  tool_use: 'tool-call',
}

/** Reads an answer of the Anthropic messages dialect. */
export class AnthropicReader implements AnswerReader {
  readonly state = new AnswerState()
  readonly #context: AnswerContext
  readonly #blocks = new OrderedBlocks(this.state.events)
  readonly #drafts = new Map<number, Draft>()
  #explanation = ''

  constructor(context: AnswerContext) {
    this.#context = context
  }

  event(data: JsonObject, name: string): void {
    const { state } = this
    const known = typeof data.index === 'number' ? data.index : undefined
    const index = known ?? Math.max(0, this.#drafts.size - 1)
    switch (typeof data.type === 'string' ? data.type : name) {
      case 'ping':
        return
      case 'message_start':
        if (isJsonObject(data.message)) this.#message(data.message)
        break
      case 'content_block_start':
        if (isJsonObject(data.content_block)) this.#start(known ?? this.#drafts.size, data.content_block)
        break
      case 'content_block_delta':
        if (isJsonObject(data.delta)) this.#delta(index, data.delta)
        break
      case 'content_block_stop':
        this.#stop(index)
        break
      case 'message_delta':
        if (isJsonObject(data.delta)) this.#end(data.delta)
        state.usageReport(data.usage)
        break
      case 'message_stop':
        state.done = true
        break
      default:
        state.report('unknown-event')
        return
    }
    state.progressed = true
  }

  body(data: JsonObject): boolean {
    if (!Array.isArray(data.content)) return false
    this.#message(data)
    for (const [index, block] of data.content.entries()) {
      if (!isJsonObject(block)) continue
      this.#start(index, block)
      this.#stop(index)
    }
    this.#end(data)
    return true
  }

  finish(ending: Ending): Finish {
    const { state } = this
    const drafts = [...this.#drafts.entries()].sort(([a], [b]) => a - b).map(([, draft]) => draft)
    const calls = drafts.filter((draft) => draft.slot.kind === 'tool-call')
    let finish: Finish = 'truncated'
    if (ending !== 'failed' && state.word !== undefined) {
      if (!state.done) state.report('done-missing')
      const refusal = this.#explanation !== ''
      finish = finishOf({ word: state.word, calls: calls.length > 0, refusal, wordForCalls: true }, state.report)
    }
    const cutShort = finish === 'length' || finish === 'truncated' || finish === 'error'
    for (const draft of drafts) this.#settle(draft, cutShort && draft === calls.at(-1))
    if (this.#explanation !== '') this.#explain(Math.max(0, ...this.#drafts.keys()) + 1)
    this.#blocks.closeAll()
    return finish
  }

  #message(message: JsonObject): void {
    this.state.model(message.model)
    this.state.usageReport(message.usage)
  }

  #start(index: number, start: JsonObject): void {
    if (this.#drafts.has(index)) return
    const kind = KINDS[String(start.type)] ?? 'opaque'
    const name = kind === 'tool-call' ? this.#context.tools.resolve(textOf(start.name)).name : textOf(start.type)
    const input = new ArgumentText(true)
    const draft: Draft = {
      start,
      slot: this.#blocks.open(index, 0, kind, kind === 'tool-call' ? name : undefined),
      text: textOf(start.text) + textOf(start.thinking),
      signature: textOf(start.signature),
      citations: Array.isArray(start.citations) ? [...(start.citations as Json[])] : [],
      input,
      stopped: false,
    }
    input.begin(start.input)
    this.#drafts.set(index, draft)
    this.#blocks.delta(draft.slot, draft.text)
  }

  #delta(index: number, delta: JsonObject): void {
    const draft = this.#drafts.get(index)
    if (draft === undefined) {
      this.state.report('unknown-event')
      return
    }
    switch (delta.type) {
      case 'text_delta':
        this.#grow(draft, textOf(delta.text))
        break
      case 'thinking_delta':
        this.#grow(draft, textOf(delta.thinking))
        break
      case 'signature_delta':
        draft.signature += textOf(delta.signature)
        break
      case 'citations_delta':
        if (delta.citation !== undefined) draft.citations.push(delta.citation)
        break
      case 'input_json_delta': {
        const piece = textOf(delta.partial_json)
        draft.input.add(piece, this.state.report)
        this.#blocks.delta(draft.slot, piece)
        break
      }
      default:
        this.state.report('unknown-event')
    }
  }

  #grow(draft: Draft, text: string): void {
    draft.text += text
    this.#blocks.delta(draft.slot, text)
  }

  #stop(index: number): void {
    const draft = this.#drafts.get(index)
    if (draft === undefined) return
    draft.stopped = true
    const waits = draft.slot.kind === 'tool-call' && !draft.input.isSettled
    const earlierWaits = [...this.#drafts].some(([place, other]) => place < index && other.slot.ended === undefined)
    if (waits || earlierWaits) return
    this.#settle(draft, false)
    this.#blocks.closeItem(index)
  }

  #end(end: JsonObject): void {
    this.state.finishWord(end.stop_reason)
    if (isJsonObject(end.stop_details)) this.#explanation = textOf(end.stop_details.explanation) || this.#explanation
  }

  #settle(draft: Draft, cutShort: boolean): void {
    if (draft.slot.ended === undefined) this.#blocks.end(draft.slot, this.#block(draft, cutShort))
  }

  #block(draft: Draft, cutShort: boolean): ModelBlock | null {
    const { author } = this.#context
    const { start } = draft
    const text = this.#clean(draft.text)
    switch (start.type) {
      case 'text': {
        if (text === '') return null
        const { citations: _, ...rest } = start
        const cited = draft.citations.length > 0 ? { citations: draft.citations } : {}
        return { kind: 'text', text, ...cited, author, raw: { ...rest, text, ...cited } }
      }
      case 'thinking': {
        const signed = draft.signature === '' ? {} : { signature: draft.signature }
        if (text === '' && draft.signature === '') return null
        const { signature: _, ...rest } = start
        const seal = draft.signature === '' ? 'none' : 'signature'
        return { kind: 'reasoning', text, seal, author, raw: { ...rest, thinking: text, ...signed } }
      }
      case 'redacted_thinking':
        return { kind: 'reasoning', text: '', seal: 'encrypted', author, raw: start }
      case 'tool_use': {
        const { type: _, id, name, input: __, ...extra } = start
        const call = { id: textOf(id), name: textOf(name), args: draft.input }
        const raw = Object.keys(extra).length > 0 ? { raw: extra } : {}
        return callBlock({ ...call, ...raw }, cutShort, this.state, this.#context)
      }
      default: {
        const input = draft.input.text.trim() === '' ? undefined : draft.input.read(false, () => undefined)
        const raw = input === undefined || input.problem !== undefined ? start : { ...start, input: input.args }
        return { kind: 'opaque', type: textOf(start.type), raw, author }
      }
    }
  }

  /** Why the model declined, for people: it does not go back to the provider, so it has no raw form. */
  #explain(place: number): void {
    const text = this.#clean(this.#explanation)
    const block: ModelBlock = { kind: 'text', text, refusal: true, author: this.#context.author, raw: null }
    this.#blocks.end(this.#blocks.open(place, 0, 'text'), block)
  }

  #clean(text: string): string {
    const clean = wellFormed(text)
    if (clean !== text) this.state.report('lone-surrogate')
    return clean
  }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
