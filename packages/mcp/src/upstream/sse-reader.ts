import { StringDecoder } from 'node:string_decoder'

export type SseEvent = { readonly name: string; readonly data: string; readonly id: string | undefined }

/**
 * Reads an event stream as the HTML standard says: comments, events without a name, data over many lines, any of the
 * three line ends, cut anywhere. An event over the limit is dropped, and only that event.
 */
export class SseReader {
  #decoder = new StringDecoder('utf8')
  #text = ''
  #scanned = 0
  #data: string[] = []
  #size = 0
  #dropped = ''
  #name = ''
  #began = false
  /** The last event id, for going on after a cut. */
  lastId: string | undefined
  retryMs: number | undefined

  constructor(
    readonly limit: number,
    readonly onEvent: (event: SseEvent) => void,
    /** `head` and `tail` are the ends of the data. */
    readonly onTooLong: (chars: number, head: string, tail: string) => void,
  ) {}

  push(chunk: Buffer): void {
    this.#text += this.#decoder.write(chunk)
    if (!this.#began) {
      this.#began = true
      if (this.#text.startsWith('\uFEFF')) this.#text = this.#text.slice(1)
    }
    let from = 0
    for (;;) {
      const end = lineEnd(this.#text, Math.max(this.#scanned, from))
      if (end === undefined) break
      this.#line(this.#text.slice(from, end.at))
      from = end.after
      this.#scanned = from
    }
    this.#text = this.#text.slice(from)
    this.#scanned = Math.max(0, this.#text.length - 1)
    if (this.#text.length > this.limit) this.#shorten()
  }

  #line(line: string): void {
    if (line === '') {
      this.#dispatch()
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') {
      this.#size += value.length
      if (this.#size <= this.limit) this.#data.push(value)
      else this.#drop(value)
    } else if (field === 'event') this.#name = value
    else if (field === 'id' && !value.includes('\0')) this.lastId = value
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value)
  }

  #dispatch(): void {
    const data = this.#data.join('\n')
    const [had, size, dropped, name] = [this.#data.length > 0, this.#size, this.#dropped, this.#name]
    this.#data = []
    this.#size = 0
    this.#dropped = ''
    this.#name = ''
    if (size > this.limit) this.onTooLong(size, dropped.slice(0, 2_048), dropped.slice(-2_048))
    else if (had) this.onEvent({ name: name || 'message', data, id: this.lastId })
  }

  /** One line alone is over the limit already: keep its ends. */
  #shorten(): void {
    const { length } = this.#text
    const field = /^data: ?/.exec(this.#text)?.[0] ?? ''
    if (field === '') {
      this.#text = ''
      this.#scanned = 0
      return
    }
    this.#size += length
    this.#drop(this.#text.slice(field.length))
    this.#text = field
    this.#scanned = field.length
  }

  #drop(value: string): void {
    const all = `${this.#data.join('\n')}${this.#dropped}${value}`
    this.#data = []
    this.#dropped = all.length <= 4_096 ? all : `${all.slice(0, 2_048)}${all.slice(-2_048)}`
  }
}

function lineEnd(text: string, from: number): { at: number; after: number } | undefined {
  const newline = text.indexOf('\n', from)
  const carriage = text.indexOf('\r', from)
  if (carriage >= 0 && (newline < 0 || carriage < newline)) {
    // A CR at the very end may be half of a CR LF.
    if (carriage === text.length - 1) return undefined
    return { at: carriage, after: text[carriage + 1] === '\n' ? carriage + 2 : carriage + 1 }
  }
  return newline < 0 ? undefined : { at: newline, after: newline + 1 }
}
