import { AnswerReader } from './answer-reader.js'
import type { HttpDoor } from './http-door.js'
import type { WireEvents } from './wire.js'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

export type PushStreamOptions = {
  readonly door: HttpDoor
  readonly url: URL
  readonly headers: () => Readonly<Record<string, string>>
  readonly name: string
  readonly limit: number
  readonly events: WireEvents
}

/**
 * The GET stream of the legacy era, for what the server says on its own. Opened again whenever it ends, with growing
 * pauses and without end, unless the server has none.
 */
export class PushStream {
  #current: { abort(): void } | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false
  #lastId: string | undefined
  #pauseMs = FIRST_PAUSE_MS
  #opened = 0

  constructor(readonly options: PushStreamOptions) {
    this.#open()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#current?.abort()
  }

  #open(): void {
    if (this.#closed) return
    const { door, url, events, name, limit } = this.options
    let reader: AnswerReader | undefined
    const resume = this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId }
    this.#current = door.knock(
      { method: 'GET', url, headers: { accept: 'text/event-stream', ...this.options.headers(), ...resume } },
      {
        head: (head) => {
          const stream = /^text\/event-stream/i.test(head.headers['content-type'] ?? '')
          if (head.status >= 300 || !stream) {
            // What a server without such a stream says; trying again would only be noise.
            if (head.status < 500 && head.status !== 429) {
              events.diagnose('no-push-stream', `HTTP ${head.status}`)
              this.#closed = true
            }
            return
          }
          if (this.#opened++ > 0) events.diagnose('stream-renewed')
          if (this.#opened > 1) events.missed()
          reader = new AnswerReader(name, head, limit, {
            received: (message) => events.received(message, undefined),
            tooLarge: (error, id) => {
              if (id !== undefined) events.lost(id, error)
            },
            diagnose: events.diagnose,
          })
        },
        data: (chunk) => {
          this.#pauseMs = FIRST_PAUSE_MS
          reader?.push(chunk)
        },
        end: () => {
          const stream = reader?.end().stream
          this.#lastId = stream?.lastId ?? this.#lastId
          this.#again(stream?.retryMs)
        },
        refused: () => this.#again(undefined),
        fail: () => this.#again(undefined),
      },
    )
  }

  #again(wantedMs: number | undefined): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => this.#open(), Math.min(wantedMs ?? this.#pauseMs, LONGEST_PAUSE_MS))
    this.#timer.unref()
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
  }
}
