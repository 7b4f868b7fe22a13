import type { Finish, Json, JsonObject, MediaBlock, ModelBlock } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import type { AnswerContext, AnswerReader, Ending } from '../wire/answer-state.js'
import { AnswerState } from '../wire/answer-state.js'
import { callBlock } from '../wire/call-draft.js'
import type { Diagnostic } from '../wire/diagnostic.js'
import { finishOf } from '../wire/finish-word.js'
import { whole } from '../wire/ordered-blocks.js'
import { wellFormed } from '../wire/well-formed.js'
import type { ChatPiece, ReasoningSource } from './chat-pieces.js'
import { addDetail, detailKey, detailSeal, detailsIn, detailText } from './reasoning-details.js'
import { splitThought, ThoughtDisplay } from './think-tags.js'
import { ToolFragments } from './tool-fragments.js'

type TextPiece = Extract<ChatPiece, { kind: 'text' }>

/** Another choice than the one that counts: its calls are kept in case the first has none. */
type SideChoice = { readonly calls: ToolFragments; readonly reports: Set<Diagnostic>; hasMore: boolean }

/** Reads an answer of the chat completions dialect. */
export class ChatReader implements AnswerReader {
  readonly state = new AnswerState()
  readonly #context: AnswerContext
  readonly #pieces: ChatPiece[] = []
  readonly #calls: ToolFragments
  readonly #sides = new Map<number, SideChoice>()
  readonly #display: ThoughtDisplay
  readonly #held = new Map<number, string>()
  #usageInPlace = false
  #usageElsewhere = false
  #nextLive = 0
  #thoughtLive: number | undefined

  constructor(context: AnswerContext) {
    this.#context = context
    this.#display = new ThoughtDisplay(context.thinkTags)
    this.#calls = new ToolFragments(context.tools, this.state.report, {
      began: (draft) => {
        const piece: ChatPiece = { kind: 'call', draft }
        this.#pieces.push(piece)
        this.#began(piece, 'tool-call', draft.name)
      },
      grew: (draft, text) => {
        const piece = this.#pieces.find((candidate) => candidate.kind === 'call' && candidate.draft === draft)
        if (piece?.live !== undefined) this.#delta(piece.live, text)
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
    this.#adoptSideCalls()
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
    let index = 0
    for (const { block, piece } of this.#blocks(cutShort)) {
      if (piece.live === undefined) state.events.push({ kind: 'block-began', index, block: block.kind })
      state.events.push({ kind: 'block-ended', index, block })
      index++
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
      } else this.#sideChoice(index, message, entire)
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
    if (text !== '') this.#show(found, 'reasoning', text)
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
    if (isShown) this.#show(piece, 'reasoning', text)
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
    if (!inFirst || this.#hasReasoningField()) this.#show(piece, 'text', text)
    else for (const part of this.#display.push(text)) this.#showSplit(piece, part.kind, part.text)
  }

  /** Thought and answer of one text are shown as the two blocks that they will be. */
  #showSplit(piece: TextPiece, kind: 'text' | 'reasoning', text: string): void {
    if (kind === 'text') {
      this.#show(piece, 'text', text)
      return
    }
    this.#thoughtLive ??= this.#began({ kind: 'refusal', text: '' }, 'reasoning')
    this.#delta(this.#thoughtLive, text)
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
    if (text !== '') this.#show(piece, 'reasoning', text)
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
    this.#show(piece, 'text', text)
  }

  #audio(audio: JsonObject): void {
    const { data, ...rest } = audio
    let piece = this.#pieces.find((candidate) => candidate.kind === 'audio')
    if (piece?.kind !== 'audio') {
      piece = { kind: 'audio', audio: {}, data: [] }
      this.#pieces.push(piece)
      this.#began(piece, 'audio')
    }
    if (typeof data === 'string') piece.data.push(data)
    const before = textOf(piece.audio.transcript)
    const spoken = textOf(rest.transcript)
    piece.audio = { ...piece.audio, ...rest, ...(before + spoken === '' ? {} : { transcript: before + spoken }) }
    this.state.progressed = true
    if (spoken !== '' && piece.live !== undefined) this.#delta(piece.live, spoken)
  }

  #sideChoice(index: number, message: JsonObject, isWhole: boolean): void {
    let side = this.#sides.get(index)
    if (side === undefined) {
      const reports = new Set<Diagnostic>()
      const calls = new ToolFragments(this.#context.tools, (diagnostic) => reports.add(diagnostic), {
        began: () => undefined,
        grew: () => undefined,
      })
      side = { calls, reports, hasMore: false }
      this.#sides.set(index, side)
    }
    if (Array.isArray(message.tool_calls)) for (const call of message.tool_calls) side.calls.add(call as Json, isWhole)
    side.calls.addLegacy(message.function_call)
    const more = [
      message.content,
      message.refusal,
      message.reasoning_content,
      message.reasoning,
      message.reasoning_details,
    ]
    if (more.some((value) => (typeof value === 'string' || Array.isArray(value)) && value.length > 0))
      side.hasMore = true
    this.state.progressed = true
  }

  #adoptSideCalls(): void {
    for (const index of [...this.#sides.keys()].sort((a, b) => a - b)) {
      const side = this.#sides.get(index)
      if (side === undefined) continue
      const wanted = this.#calls.calls.length === 0 && side.calls.calls.length > 0
      if (wanted) {
        this.state.report('choices-merged')
        for (const diagnostic of side.reports) this.state.report(diagnostic)
        for (const draft of side.calls.calls) {
          this.#calls.calls.push(draft)
          this.#pieces.push({ kind: 'call', draft })
        }
      }
      if (side.hasMore || (!wanted && side.calls.calls.length > 0)) this.state.report('choices-ignored')
    }
  }

  #hasReasoningField(): boolean {
    return this.#pieces.some((piece) => piece.kind === 'reasoning')
  }

  *#blocks(cutShort: boolean): Generator<{ block: ModelBlock; piece: ChatPiece }> {
    const { state } = this
    const { author } = this.#context
    const counting = this.#reasoningThatCounts()
    const firstText = this.#pieces.find((piece) => piece.kind === 'text')
    const lastCall = this.#calls.calls.at(-1)
    for (const piece of this.#pieces) {
      switch (piece.kind) {
        case 'call':
          yield { piece, block: callBlock(piece.draft, cutShort && piece.draft === lastCall, state, this.#context) }
          break
        case 'reasoning': {
          if (piece.source !== counting) break
          const entry = piece.detail?.entry
          const text = this.#clean(entry === undefined ? piece.text : detailText(entry))
          const seal = entry === undefined ? 'none' : detailSeal(entry)
          if (text === '' && seal === 'none') break
          const raw: JsonObject = entry === undefined ? { field: piece.source } : { field: piece.source, entry }
          yield { piece, block: { kind: 'reasoning', text, seal, author, raw } }
          break
        }
        case 'thinking-parts': {
          const text = this.#clean(piece.text)
          const raw: JsonObject = { field: 'content', parts: piece.parts }
          if (text !== '') yield { piece, block: { kind: 'reasoning', text, seal: 'none', author, raw } }
          break
        }
        case 'text': {
          const mode = piece === firstText && counting === undefined ? this.#context.thinkTags : 'off'
          const split = splitThought(piece.text, mode)
          for (const diagnostic of split?.diagnostics ?? []) state.report(diagnostic)
          const thought = this.#clean(split?.thought ?? '')
          const raw: JsonObject = { field: 'content', written: split?.written ?? '' }
          if (thought !== '') yield { piece, block: { kind: 'reasoning', text: thought, seal: 'none', author, raw } }
          const text = this.#clean(split?.text ?? piece.text)
          const citations = piece.citations.length > 0 ? { citations: piece.citations } : {}
          const extra = piece.extra === undefined ? {} : { raw: { extra_content: piece.extra } }
          if (text !== '') yield { piece, block: { kind: 'text', text, ...citations, author, ...extra } }
          break
        }
        case 'refusal':
          yield { piece, block: { kind: 'text', text: this.#clean(piece.text), refusal: true, author } }
          break
        case 'audio':
          yield { piece, block: this.#audioBlock(piece) }
      }
    }
  }

  /** Details go before `reasoning_content`, that before `reasoning`; the same thought twice is told. */
  #reasoningThatCounts(): ReasoningSource | undefined {
    const texts = new Map<ReasoningSource, string>()
    for (const piece of this.#pieces)
      if (piece.kind === 'reasoning') texts.set(piece.source, (texts.get(piece.source) ?? '') + piece.text)
    const content = texts.get('reasoning_content')
    if (content !== undefined && content === texts.get('reasoning')) this.state.report('reasoning-duplicated')
    return (['reasoning_details', 'reasoning_content', 'reasoning'] as const).find((source) => texts.has(source))
  }

  #audioBlock(piece: Extract<ChatPiece, { kind: 'audio' }>): MediaBlock {
    const [only] = piece.data
    const base64 =
      piece.data.length === 1 && only !== undefined
        ? only
        : Buffer.concat(piece.data.map((data) => Buffer.from(data, 'base64'))).toString('base64')
    return {
      kind: 'audio',
      mediaType: piece.data.length > 1 ? 'audio/pcm' : 'audio/wav',
      source: { kind: 'data', base64 },
      author: this.#context.author,
      raw: piece.audio,
    }
  }

  #clean(text: string): string {
    const clean = wellFormed(text)
    if (clean !== text) this.state.report('lone-surrogate')
    return clean
  }

  #began(piece: ChatPiece, block: ModelBlock['kind'], name = ''): number {
    const index = this.#nextLive++
    piece.live = index
    this.state.events.push({ kind: 'block-began', index, block, ...(name === '' ? {} : { name }) })
    return index
  }

  #show(piece: ChatPiece, block: 'text' | 'reasoning', text: string): void {
    this.#delta(piece.live ?? this.#began(piece, block), text)
  }

  #delta(index: number, text: string): void {
    const ready = whole((this.#held.get(index) ?? '') + text, false)
    this.#held.set(index, ready.rest)
    if (ready.text !== '') this.state.events.push({ kind: 'delta', index, text: ready.text })
  }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
