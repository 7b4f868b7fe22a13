import type { Json } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import type { AnswerReader } from './answer-state.js'
import { jsonExtent } from './json-extent.js'
import type { SseEvent } from './sse-reader.js'
import { SseReader } from './sse-reader.js'
import { errorInside } from './wire-error.js'

/** An answer may have so many characters and no more: a stream that never ends must not fill the memory. */
const MAX_CHARS = 64 * 1024 * 1024

/** How a web page begins; `<400> InternalError` is no page. */
export const PAGE_HEAD = /^<(?:[a-z!?]|$)/i

const SSE_HEAD = /^(?:data|event|id|retry)?(?::|\r|\n)/
const SSE_FIELDS = ['data', 'event', 'id', 'retry']

/** What ended the reading before the answer was whole. */
export type BodyFailure =
  | { readonly kind: 'error'; readonly body: Json }
  | { readonly kind: 'not-json'; readonly text: string }
  | { readonly kind: 'page' }
  | { readonly kind: 'too-long' }

/**
 * Reads the bytes of a good answer, in whatever pieces and of whatever kind: a stream of events or a JSON body,
 * whichever was asked for and whatever the headers say. Bytes are joined before they are decoded.
 */
export class BodyReader {
  readonly #reader: AnswerReader
  readonly #streamAsked: boolean
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #sse = new SseReader((event) => this.#onEvent(event))
  #kind: 'unknown' | 'events' | 'json' | 'page' | 'text' = 'unknown'
  #begun = false
  #text = ''
  #sawDone = false
  #chars = 0
  failure: BodyFailure | undefined

  constructor(reader: AnswerReader, streamAsked: boolean) {
    this.#reader = reader
    this.#streamAsked = streamAsked
  }

  push(bytes: Uint8Array): void {
    this.#take(this.#decoder.decode(bytes, { stream: true }))
  }

  /** True where the answer came as events, or nothing came although events were asked for. */
  get isStream(): boolean {
    return this.#kind === 'events' || (this.#kind === 'unknown' && this.#streamAsked)
  }

  end(): void {
    this.#take(this.#decoder.decode())
    if (this.#kind === 'unknown') this.#decide(true)
    if (this.failure !== undefined) return
    if (this.#kind === 'events') this.#endEvents()
    else if (this.#kind === 'json') this.#readJson()
    else if (this.#kind === 'page') this.failure = { kind: 'page' }
    else if (this.#kind === 'text' || !this.#streamAsked) this.failure = { kind: 'not-json', text: this.#text }
  }

  #take(decoded: string): void {
    if (decoded === '' || this.failure !== undefined) return
    let text = decoded
    if (!this.#begun) {
      this.#begun = true
      if (text.startsWith('\ufeff')) {
        text = text.slice(1)
        this.#reader.state.report('byte-order-mark')
      }
    }
    if (this.#kind === 'events') this.#sse.push(text)
    else {
      this.#text += text
      if (this.#kind === 'unknown') this.#decide(false)
      else if (this.#kind === 'json' && text.trim() !== '') this.#reader.state.progressed = true
    }
    this.#chars += decoded.length
    if (this.#chars > MAX_CHARS) this.failure = { kind: 'too-long' }
  }

  #decide(isEnd: boolean): void {
    const head = this.#text.trimStart()
    const first = head[0]
    if (first === undefined) return
    if (first === '{' || first === '[') this.#kind = 'json'
    else if (head === '<' && !isEnd) return
    else if (PAGE_HEAD.test(head)) this.#kind = 'page'
    else if (SSE_HEAD.test(head)) this.#kind = 'events'
    else if (!isEnd && SSE_FIELDS.some((field) => field.startsWith(head))) return
    else if (isEnd && SSE_FIELDS.includes(head)) this.#kind = 'events'
    else this.#kind = 'text'
    if (this.#kind !== 'events') return
    if (!this.#streamAsked) this.#reader.state.report('stream-unasked')
    this.#text = ''
    this.#sse.push(head)
  }

  #onEvent(event: SseEvent): void {
    if (this.failure !== undefined) return
    const { state } = this.#reader
    const text = event.data.trim()
    if (text.startsWith(':')) {
      state.report('comment-as-data')
      return
    }
    if (text === '[DONE]' && !this.#sawDone) {
      this.#sawDone = true
      state.done = true
      state.progressed = true
      return
    }
    if (state.done) {
      state.report('data-after-done')
      return
    }
    const data = parsed(text)
    if (data === undefined) {
      this.failure = { kind: 'not-json', text }
      return
    }
    this.#takeEvent(data, event.name)
  }

  #takeEvent(data: Json, name: string): void {
    const { state } = this.#reader
    if (isJsonObject(data)) {
      const isError = errorInside(data) !== undefined || (name === 'error' && data.type === undefined)
      if (!isError || 'choices' in data) this.#reader.event(data, name)
      if (isError) state.failure ??= data
    } else if (errorInside(data) !== undefined) state.failure = data
    else state.report('unknown-event')
    if (state.failure !== undefined) this.failure = { kind: 'error', body: state.failure }
  }

  #endEvents(): void {
    const open = this.#sse.end()
    if (open === undefined) return
    const text = open.data.trim()
    const counts = text.startsWith(':') || text === '[DONE]' || parsed(text) !== undefined
    if (!counts && !this.#reader.state.done) return
    if (counts && !text.startsWith(':') && !this.#reader.state.done) this.#reader.state.report('event-unterminated')
    this.#onEvent(open)
  }

  #readJson(): void {
    const { state } = this.#reader
    let data = parsed(this.#text)
    if (data === undefined) {
      const extent = jsonExtent(this.#text)
      data = extent.kind === 'whole' ? parsed(this.#text.slice(0, extent.end)) : undefined
      if (data !== undefined) state.report('data-after-done')
    }
    if (data === undefined) {
      this.failure = { kind: 'not-json', text: this.#text }
      return
    }
    if (errorInside(data) !== undefined) {
      this.failure = { kind: 'error', body: data }
      return
    }
    if (this.#streamAsked) state.report('stream-not-streamed')
    if (!isJsonObject(data) || !this.#reader.body(data)) this.failure = { kind: 'not-json', text: '' }
    else if (state.failure !== undefined) this.failure = { kind: 'error', body: state.failure }
    else state.done = true
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
