/** One event of a stream. `data` has its lines joined with LF; `name` is empty where no `event:` stood. */
export type SseEvent = { readonly name: string; readonly data: string }

/**
 * Reads server-sent events out of decoded text that arrives in any pieces (WHATWG HTML, section 9.2.6). Each character
 * is looked at once, so a line of a megabyte in small pieces costs no more than in one. Events without data are
 * nothing; `id:` and `retry:` have no use here, since a model's answer cannot be resumed.
 */
export class SseReader {
  readonly #onEvent: (event: SseEvent) => void
  #line = ''
  #afterCr = false
  #name = ''
  #data: string | undefined

  constructor(onEvent: (event: SseEvent) => void) {
    this.#onEvent = onEvent
  }

  push(text: string): void {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit !== LF && unit !== CR) {
        this.#afterCr = false
        at = nextLineEnd(text, at) - 1
        continue
      }
      const secondHalf = unit === LF && this.#afterCr
      this.#afterCr = unit === CR
      if (secondHalf) {
        from = at + 1
        continue
      }
      this.#takeLine(this.#line + text.slice(from, at))
      this.#line = ''
      from = at + 1
    }
    this.#line += text.slice(from)
  }

  /** The event that was still open when the stream ended. */
  end(): SseEvent | undefined {
    if (this.#line !== '') this.#takeLine(this.#line)
    this.#line = ''
    const open = this.#open()
    this.#name = ''
    this.#data = undefined
    return open
  }

  #takeLine(line: string): void {
    if (line === '') {
      const event = this.#open()
      this.#name = ''
      this.#data = undefined
      if (event !== undefined) this.#onEvent(event)
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    else if (field === 'event') this.#name = value
  }

  #open(): SseEvent | undefined {
    return this.#data === undefined || this.#data.trim() === '' ? undefined : { name: this.#name, data: this.#data }
  }
}

const LF = 10
const CR = 13

function nextLineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === LF || unit === CR) return at
  }
  return text.length
}
