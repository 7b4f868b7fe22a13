import type { Finish, Json, JsonObject, ModelBlock } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import type { AnswerContext, AnswerReader, Ending } from '../wire/answer-state.js'
import { AnswerState } from '../wire/answer-state.js'
import { callBlock } from '../wire/call-draft.js'
import { finishOf } from '../wire/finish-word.js'
import { OrderedBlocks } from '../wire/ordered-blocks.js'
import { wellFormed } from '../wire/well-formed.js'
import type { PartDraft } from './output-item.js'
import { OutputItem, partText } from './output-item.js'
import { isQuietEvent } from './response-events.js'

const PART_TYPES = new Set(['output_text', 'text', 'refusal'])

/** Reads an answer of the OpenAI responses dialect. */
export class ResponsesReader implements AnswerReader {
  readonly state = new AnswerState()
  readonly #context: AnswerContext
  readonly #blocks = new OrderedBlocks(this.state.events)
  readonly #items = new Map<number, OutputItem>()
  #lastItem: OutputItem | undefined
  #lastSequence = Number.NEGATIVE_INFINITY
  #hasRefusal = false

  constructor(context: AnswerContext) {
    this.#context = context
  }

  event(data: JsonObject, name: string): void {
    const { state } = this
    const type = typeof data.type === 'string' ? data.type : name
    this.#checkSequence(data.sequence_number)
    if (isJsonObject(data.response)) state.model(data.response.model)
    if (!isQuietEvent(type) && !this.#take(type, data)) state.report('unknown-event')
    else if (type !== 'keepalive' && type !== 'ping') state.progressed = true
    this.#settleReady()
  }

  body(data: JsonObject): boolean {
    if (!Array.isArray(data.output)) return false
    this.state.model(data.model)
    this.#final(data, textOf(data.status) || 'completed', true)
    if (textOf(data.status) === '') this.state.word = undefined
    return true
  }

  finish(ending: Ending): Finish {
    const { state } = this
    const items = this.#inOrder()
    const calls = items.filter((item) => item.kind === 'tool-call')
    this.#hasRefusal = items.some((item) =>
      [...item.parts.values()].some((part) => part.type === 'refusal' && text(part) !== ''),
    )
    let finish: Finish = 'truncated'
    const ended = state.word !== undefined || (ending === 'whole' && !this.#isUnfinished)
    if (ending !== 'failed' && ended)
      finish = finishOf(
        { word: state.word, calls: calls.length > 0, refusal: this.#hasRefusal, wordForCalls: false },
        state.report,
      )
    const cutShort = finish === 'length' || finish === 'truncated' || finish === 'error'
    for (const item of items) this.#settle(item, cutShort && item === calls.at(-1))
    this.#blocks.closeAll()
    return finish
  }

  #isUnfinished = false

  #checkSequence(sequence: Json | undefined): void {
    if (typeof sequence !== 'number') return
    if (sequence <= this.#lastSequence) this.state.report('sequence-out-of-order')
    this.#lastSequence = sequence
  }

  #take(type: string, data: JsonObject): boolean {
    const index = numberOf(data.content_index)
    switch (type) {
      case 'response.output_item.added':
        if (isJsonObject(data.item)) this.#open(this.#place(data), data.item, true)
        return true
      case 'response.output_item.done':
        if (isJsonObject(data.item)) this.#done(this.#place(data), data.item)
        return true
      case 'response.content_part.added':
      case 'response.content_part.done':
        this.#part(data, index, type.endsWith('.done'))
        return true
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#grow(data, index, type.startsWith('response.refusal') ? 'refusal' : 'output_text', textOf(data.delta))
        return true
      case 'response.output_text.done':
      case 'response.refusal.done': {
        const field = type.startsWith('response.refusal') ? 'refusal' : 'text'
        const draft = this.#find(data).part(index, field === 'text' ? 'output_text' : field)
        if (textOf(data[field]) !== '') draft.text = textOf(data[field])
        return true
      }
      case 'response.output_text.annotation.added':
        if (data.annotation !== undefined) this.#find(data).part(index, 'output_text').annotations.push(data.annotation)
        return true
      case 'response.function_call_arguments.delta': {
        const item = this.#find(data, 'function_call')
        item.addArguments(data.delta, this.state.report)
        if (item.slot !== undefined) this.#blocks.delta(item.slot, textOf(data.delta))
        return true
      }
      case 'response.function_call_arguments.done':
        this.#find(data, 'function_call').finalArguments(data.arguments, this.state.report)
        return true
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_summary_text.done':
        this.#think(data, 'summary', numberOf(data.summary_index), type.endsWith('.done'))
        return true
      case 'response.reasoning_text.delta':
      case 'response.reasoning_text.done':
        this.#think(data, 'content', index, type.endsWith('.done'))
        return true
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.#final(isJsonObject(data.response) ? data.response : {}, type.slice('response.'.length), false)
        return true
      default:
        return false
    }
  }

  #place(data: JsonObject): number {
    if (typeof data.output_index === 'number') return data.output_index
    const id = isJsonObject(data.item) ? data.item.id : undefined
    const same = typeof id === 'string' ? [...this.#items.values()].find((item) => item.item.id === id) : undefined
    return same?.place ?? this.#items.size
  }

  #open(place: number, item: JsonObject, streamed: boolean): OutputItem {
    const known = this.#items.get(place)
    if (known !== undefined) return known
    const draft = new OutputItem(place, item, streamed)
    this.#items.set(place, draft)
    this.#lastItem = draft
    if (draft.kind !== 'message') {
      const name = draft.kind === 'tool-call' ? this.#context.tools.resolve(textOf(item.name)).name : draft.type
      draft.slot = this.#blocks.open(place, 0, draft.kind, draft.kind === 'reasoning' ? undefined : name)
    }
    return draft
  }

  /** The item that an event is about: by place, else by id, else the last one; opened where it was never added. */
  #find(data: JsonObject, type = 'message'): OutputItem {
    const place = typeof data.output_index === 'number' ? data.output_index : undefined
    const id = data.item_id
    const found =
      place !== undefined
        ? this.#items.get(place)
        : ([...this.#items.values()].find((item) => typeof id === 'string' && item.item.id === id) ?? this.#lastItem)
    if (found !== undefined) return found
    const given = typeof id === 'string' && id !== '' ? { id, type } : { type }
    return this.#open(place ?? this.#items.size, given, true)
  }

  #done(place: number, item: JsonObject): void {
    this.#open(place, item, false).finish(item, this.state.report)
  }

  #part(data: JsonObject, index: number, isDone: boolean): void {
    const item = this.#find(data)
    if (item.kind !== 'message' || !isJsonObject(data.part)) return
    const draft = item.part(index, textOf(data.part.type))
    if (isDone && partText(data.part) !== '') draft.final = data.part
    else if (!isDone) this.#grow(data, index, draft.type, partText(data.part))
  }

  #grow(data: JsonObject, index: number, type: string, piece: string): void {
    const item = this.#find(data)
    const draft = item.part(index, type)
    if (!PART_TYPES.has(draft.type)) return
    draft.text += piece
    draft.slot ??= this.#blocks.open(item.place, index, 'text')
    this.#blocks.delta(draft.slot, piece)
  }

  #think(data: JsonObject, kind: 'summary' | 'content', index: number, isFinal: boolean): void {
    const item = this.#find(data, 'reasoning')
    const piece = textOf(isFinal ? data.text : data.delta)
    item.addThought(kind, index, piece, isFinal)
    if (!isFinal && item.slot !== undefined) this.#blocks.delta(item.slot, piece)
  }

  #final(response: JsonObject, status: string, isWhole: boolean): void {
    const { state } = this
    state.usageReport(response.usage)
    const output: readonly Json[] = Array.isArray(response.output) ? response.output : []
    if (status === 'failed') {
      state.failure = { error: response.error ?? { code: 'server_error', message: '' } }
      return
    }
    if (output.length === 0 && this.#items.size > 0) state.report('output-missing-in-final')
    for (const [place, item] of output.entries()) if (isJsonObject(item)) this.#done(place, item)
    if (status === 'completed') state.finishWord('stop')
    else if (status === 'incomplete') this.#incomplete(response.incomplete_details)
    else this.#isUnfinished = true
    if (!isWhole) state.done = true
  }

  #incomplete(details: Json | undefined): void {
    const reason = isJsonObject(details) ? textOf(details.reason) : ''
    if (reason === '') this.state.report('finish-missing')
    this.state.finishWord(reason || 'length')
  }

  #inOrder(): readonly OutputItem[] {
    return [...this.#items.values()].sort((a, b) => a.place - b.place)
  }

  /** Blocks of items that are done are given out at once, in the order of the items. */
  #settleReady(): void {
    for (let place = 0; ; place++) {
      const item = this.#items.get(place)
      if (item === undefined || !item.isDone || (item.kind === 'tool-call' && !item.args.isSettled)) return
      this.#settle(item, false)
    }
  }

  #settle(item: OutputItem, cutShort: boolean): void {
    if (item.settled) return
    item.settled = true
    if (textOf(item.item.id) === '') this.state.report('item-id-missing')
    if (item.kind === 'message') this.#settleParts(item)
    else {
      const slot = item.slot ?? this.#blocks.open(item.place, 0, item.kind)
      this.#blocks.end(slot, this.#block(item, cutShort))
    }
    this.#blocks.closeItem(item.place)
  }

  #settleParts(item: OutputItem): void {
    for (const [index, draft] of [...item.parts].sort(([a], [b]) => a - b)) {
      const type = textOf(draft.final?.type) || draft.type
      if (!PART_TYPES.has(type)) {
        this.state.report('unknown-part')
        continue
      }
      const slot = draft.slot ?? this.#blocks.open(item.place, index, 'text')
      this.#blocks.end(slot, this.#textBlock(item, draft, type))
    }
  }

  #textBlock(item: OutputItem, draft: PartDraft, type: string): ModelBlock | null {
    const content = this.#clean(text(draft))
    if (content === '') return null
    const built: JsonObject =
      type === 'refusal'
        ? { type, refusal: content }
        : { type: 'output_text', text: content, annotations: draft.annotations }
    const part = draft.final ?? built
    const annotations = Array.isArray(part.annotations) ? (part.annotations as Json[]) : []
    const { content: _, ...rest } = item.item
    return {
      kind: 'text',
      text: content,
      ...(type === 'refusal' ? { refusal: true as const } : {}),
      ...(annotations.length > 0 ? { citations: annotations } : {}),
      author: this.#context.author,
      raw: { place: item.place, item: rest, part },
    }
  }

  #block(item: OutputItem, cutShort: boolean): ModelBlock | null {
    const { author } = this.#context
    const raw = item.item
    if (item.kind === 'reasoning') {
      const thought = this.#clean(item.thought)
      if (thought === '' && item.seal === 'none') return null
      return { kind: 'reasoning', text: thought, seal: item.seal, author, raw }
    }
    if (item.kind === 'tool-call') {
      const call = { id: textOf(raw.call_id), name: textOf(raw.name), args: item.args, raw }
      return callBlock(call, cutShort, this.state, this.#context)
    }
    return { kind: 'opaque', type: item.type, raw, author }
  }

  #clean(value: string): string {
    const clean = wellFormed(value)
    if (clean !== value) this.state.report('lone-surrogate')
    return clean
  }
}

function text(draft: PartDraft): string {
  return (draft.final === undefined ? '' : partText(draft.final)) || draft.text
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : 0)
