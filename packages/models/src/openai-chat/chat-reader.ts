import type { Finish, Json, JsonObject } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import type { AnswerContext, AnswerReader, Ending } from '../wire/answer-state.js'
import { AnswerState } from '../wire/answer-state.js'
import { finishOf } from '../wire/finish-word.js'
import { chatBlocks } from './chat-blocks.js'
import type { ChatPiece, ReasoningSource } from './chat-pieces.js'
import { LiveDisplay } from './live-display.js'
import { addDetail, detailKey, detailsIn, detailText } from './reasoning-details.js'
import { SideChoices } from './side-choices.js'
import { ThoughtDisplay } from './think-tags.js'
import { ToolFragments } from './tool-fragments.js'

type TextPiece = Extract<ChatPiece, { kind: 'text' }>

/** Reads an answer of the chat completions dialect. */
export class ChatReader implements AnswerReader {
  readonly state = new AnswerState()
  readonly #context: AnswerContext
  readonly #pieces: ChatPiece[] = []
  readonly #calls: ToolFragments
  readonly #sides: SideChoices
  readonly #thoughts: ThoughtDisplay
  readonly #live = new LiveDisplay(this.state.events)
  #usageInPlace = false
  #usageElsewhere = false
  #thoughtLive: number | undefined

  constructor(context: AnswerContext) {
    this.#context = context
    this.#thoughts = new ThoughtDisplay(context.thinkTags)
    this.#sides = new SideChoices(context.tools)
    this.#calls = new ToolFragments(context.tools, this.state.report, {
      began: (draft) => {
        const piece: ChatPiece = { kind: 'call', draft }
        this.#pieces.push(piece)
        this.#live.began(piece, 'tool-call', draft.name)
      },
      grew: (draft, text) => {
        const piece = this.#pieces.find((candidate) => candidate.kind === 'call' && candidate.draft === draft)
        this.#live.grow(piece?.live, text)
      },
    })
  }

  event(data: JsonObject): void {
    if (!this.#read(data, false)) this.state.report('unknown-event')
  }

  body(data: JsonObject): boolean {
    return this.#read(data, true) && Array.isArray(data.choices) && data.choices.length > 0
  }

  finish(ending: Ending): Finish {
    const { state } = this
    for (const draft of this.#sides.settle(this.#calls.calls.length === 0, state.report)) {
      this.#calls.calls.push(draft)
      this.#pieces.push({ kind: 'call', draft })
    }
    if (this.#usageElsewhere && !this.#usageInPlace) state.report('usage-misplaced')
    const calls = this.#calls.calls
    const open = calls.some((call) => call.args.isOpen)
    const ended = state.word !== undefined || (state.done && !open)
    let finish: Finish = 'truncated'
    if (ending !== 'failed' && ended) {
      if (!state.done) state.report('done-missing')
      finish = finishOf(
        {
          word: state.word,
          calls: calls.length > 0,
          refusal: this.#pieces.some((piece) => piece.kind === 'refusal'),
          wordForCalls: true,
        },
        state.report,
      )
    }
    const cutShort = finish === 'length' || finish === 'truncated' || finish === 'error'
    for (const [index, { block, piece }] of chatBlocks(this.#pieces, cutShort, state, this.#context).entries()) {
      if (piece.live === undefined) state.events.push({ kind: 'block-began', index, block: block.kind })
      state.events.push({ kind: 'block-ended', index, block })
    }
    return finish
  }

  #read(data: JsonObject, isWhole: boolean): boolean {
    const { state } = this
    state.model(data.model)
    if (isJsonObject(data.usage)) {
      this.#usageInPlace = true
      state.usageReport(data.usage)
    }
    if (isJsonObject(data.x_groq) && isJsonObject(data.x_groq.usage)) this.#misplaced(data.x_groq.usage)
    const { choices } = data
    if (!Array.isArray(choices)) return choices === null || isJsonObject(data.usage) || isJsonObject(data.x_groq)
    for (const [place, choice] of choices.entries()) {
      if (!isJsonObject(choice)) continue
      if (isJsonObject(choice.usage)) this.#misplaced(choice.usage)
      const delta = isJsonObject(choice.delta) ? choice.delta : undefined
      const message = delta ?? (isJsonObject(choice.message) ? choice.message : {})
      const index = typeof choice.index === 'number' ? choice.index : place
      const entire = isWhole || (delta === undefined && isJsonObject(choice.message))
      if (index === 0) {
        this.#message(message, entire)
        state.finishWord(choice.finish_reason)
        if (isJsonObject(choice.error)) state.failure ??= { error: choice.error }
      } else {
        this.#sides.add(index, message, entire)
        state.progressed = true
      }
    }
    return true
  }

  #misplaced(usage: JsonObject): void {
    this.#usageElsewhere = true
    if (!this.#usageInPlace) this.state.usageReport(usage)
  }

  #message(message: JsonObject, isWhole: boolean): void {
    this.#reasoning(message, isWhole)
    const { content } = message
    if (typeof content === 'string') this.#text(content)
    else if (Array.isArray(content)) for (const part of content) this.#part(part as Json, isWhole)
    this.#citations(message.annotations)
    if (isJsonObject(message.extra_content)) this.#textExtra(message.extra_content)
    if (typeof message.refusal === 'string') this.#refusal(message.refusal)
    if (isJsonObject(message.audio)) this.#audio(message.audio)
    const before = this.#calls.calls.length
    if (Array.isArray(message.tool_calls)) {
      for (const call of message.tool_calls) this.#calls.add(call as Json, isWhole)
      if (message.tool_calls.length > 0) this.state.progressed = true
    }
    if (this.#calls.calls.length === before) this.#calls.addLegacy(message.function_call)
    if (isJsonObject(message.function_call)) this.state.progressed = true
  }

  #reasoning(message: JsonObject, isWhole: boolean): void {
    const details = detailsIn(message.reasoning_details)
    for (const piece of details) this.#detail(piece, isWhole)
    const content = textOf(message.reasoning_content)
    const plain = textOf(message.reasoning)
    this.#thought('reasoning_content', content, details.length === 0)
    this.#thought('reasoning', plain, details.length === 0 && content === '')
  }

  #detail(piece: JsonObject, isWhole: boolean): void {
    const key = detailKey(piece)
    const isApart = isWhole && typeof piece.index !== 'number'
    let found = isApart
      ? undefined
      : this.#pieces.findLast((known) => known.kind === 'reasoning' && known.detail?.key === key)
    if (found?.kind !== 'reasoning' || found.detail === undefined) {
      found = { kind: 'reasoning', source: 'reasoning_details', text: '', detail: { key, entry: piece } }
      this.#pieces.push(found)
    } else found.detail.entry = addDetail(found.detail.entry, piece)
    this.state.progressed = true
    const text = detailText(piece)
    if (text !== '') this.#live.show(found, 'reasoning', text)
  }

  #thought(source: ReasoningSource, text: string, isShown: boolean): void {
    if (text === '') return
    this.state.progressed = true
    let piece: ChatPiece | undefined
    for (let at = this.#pieces.length - 1; at >= 0 && piece === undefined; at--) {
      const candidate = this.#pieces[at]
      if (candidate?.kind !== 'reasoning') break
      if (candidate.source === source) piece = candidate
    }
    if (piece?.kind !== 'reasoning') {
      piece = { kind: 'reasoning', source, text: '' }
      this.#pieces.push(piece)
    }
    piece.text += text
    if (isShown) this.#live.show(piece, 'reasoning', text)
  }

  #text(text: string): void {
    if (text === '') return
    this.state.progressed = true
    const isFirst = !this.#pieces.some((piece) => piece.kind === 'text')
    const last = this.#pieces.at(-1)
    const piece: TextPiece = last?.kind === 'text' ? last : { kind: 'text', text: '', citations: [] }
    if (piece !== last) this.#pieces.push(piece)
    piece.text += text
    const inFirst = isFirst || piece === this.#pieces.find((candidate) => candidate.kind === 'text')
    if (!inFirst || this.#hasReasoningField()) this.#live.show(piece, 'text', text)
    else for (const part of this.#thoughts.push(text)) this.#showSplit(piece, part.kind, part.text)
  }

  /** Thought and answer of one text are shown as the two blocks that they will be. */
  #showSplit(piece: TextPiece, kind: 'text' | 'reasoning', text: string): void {
    if (kind === 'text') {
      this.#live.show(piece, 'text', text)
      return
    }
    this.#thoughtLive ??= this.#live.open('reasoning')
    this.#live.grow(this.#thoughtLive, text)
  }

  #part(part: Json, isWhole: boolean): void {
    if (!isJsonObject(part)) {
      if (typeof part === 'string') this.#text(part)
      return
    }
    if (part.type === 'text' || part.type === 'output_text') this.#text(textOf(part.text))
    else if (part.type === 'refusal') this.#refusal(textOf(part.refusal))
    else if (part.type === 'thinking') this.#thinkingPart(part, isWhole)
    else this.state.report('unknown-part')
  }

  /** A whole part is kept as it was sent; pieces of a streamed one are joined into one. */
  #thinkingPart(part: JsonObject, isWhole: boolean): void {
    const text = Array.isArray(part.thinking)
      ? part.thinking.map((inner: Json) => (isJsonObject(inner) ? textOf(inner.text) : '')).join('')
      : textOf(part.thinking)
    const last = this.#pieces.at(-1)
    let piece = last?.kind === 'thinking-parts' ? last : undefined
    if (piece === undefined) {
      piece = { kind: 'thinking-parts', text: '', parts: [] }
      this.#pieces.push(piece)
    }
    piece.text += text
    const joined = { ...piece.parts.at(-1), ...part, thinking: [{ type: 'text', text: piece.text }] }
    piece.parts = isWhole ? [...piece.parts, part] : [joined]
    this.state.progressed = true
    if (text !== '') this.#live.show(piece, 'reasoning', text)
  }

  #citations(annotations: Json | undefined): void {
    if (!Array.isArray(annotations) || annotations.length === 0) return
    const last = this.#pieces.findLast((piece) => piece.kind === 'text')
    if (last?.kind === 'text') last.citations.push(...(annotations as Json[]))
  }

  /** The signature of a thought that led to text and not to a call hangs on the message. */
  #textExtra(extra: JsonObject): void {
    const last = this.#pieces.findLast((piece) => piece.kind === 'text')
    if (last?.kind === 'text') last.extra = extra
  }

  #refusal(text: string): void {
    if (text === '') return
    this.state.progressed = true
    const last = this.#pieces.at(-1)
    const piece: ChatPiece = last?.kind === 'refusal' ? last : { kind: 'refusal', text: '' }
    if (piece !== last) this.#pieces.push(piece)
    piece.text += text
    this.#live.show(piece, 'text', text)
  }

  #audio(audio: JsonObject): void {
    const { data, ...rest } = audio
    let piece = this.#pieces.find((candidate) => candidate.kind === 'audio')
    if (piece?.kind !== 'audio') {
      piece = { kind: 'audio', audio: {}, data: [] }
      this.#pieces.push(piece)
      this.#live.began(piece, 'audio')
    }
    if (typeof data === 'string') piece.data.push(data)
    const before = textOf(piece.audio.transcript)
    const spoken = textOf(rest.transcript)
    piece.audio = { ...piece.audio, ...rest, ...(before + spoken === '' ? {} : { transcript: before + spoken }) }
    this.state.progressed = true
    this.#live.grow(piece.live, spoken)
  }

  #hasReasoningField(): boolean {
    return this.#pieces.some((piece) => piece.kind === 'reasoning')
  }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
