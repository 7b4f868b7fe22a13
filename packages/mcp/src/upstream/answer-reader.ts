import { McpError } from '../errors.js'
import type { Diagnose } from './diagnostic.js'
import type { HttpHead } from './http-exchange.js'
import { httpFailure } from './http-failure.js'
import { type JsonRpcId, type Received, sniffId } from './json-rpc.js'
import { readBytes, readText } from './read-bytes.js'
import { SseReader } from './sse-reader.js'
import { tooLarge } from './too-large.js'

export type AnswerEvents = {
  received(message: Received): void
  tooLarge(error: McpError, id: JsonRpcId | undefined): void
  readonly diagnose: Diagnose
}

/**
 * How the body of a response ended: `stream` may be gone on with, `fault` makes the error that says what is wrong with
 * it as an answer. Nearly every body is one, and an error costs more than the reading.
 */
export type BodyEnd = { readonly stream: SseReader | undefined; readonly fault: (() => McpError) | undefined }

/** Reads the body of one response: JSON, an event stream, or something that is neither. */
export class AnswerReader {
  readonly #stream: SseReader | undefined
  readonly #json: boolean
  #parts: Buffer[] = []
  #bytes = 0

  constructor(
    readonly name: string,
    readonly head: HttpHead,
    readonly limit: number,
    readonly events: AnswerEvents,
  ) {
    const type = essence(head.headers['content-type'])
    this.#json = type === 'application/json' || type.endsWith('+json')
    if (type === 'text/event-stream' && head.status < 300)
      this.#stream = new SseReader(
        limit,
        ({ name: event, data }) => {
          // Priming events have no data; events with another name are not messages.
          if (event !== 'message' || data === '') return
          const messages = readText(data, events.diagnose)
          if (messages === undefined) events.diagnose('bad-message', data.slice(0, 200))
          else for (const message of messages) events.received(message)
        },
        (chars, from, to) => {
          events.diagnose('message-too-large', `${chars} characters`)
          events.tooLarge(tooLarge(name, chars, limit), sniffId(from, to))
        },
      )
  }

  push(chunk: Buffer): void {
    if (this.#stream !== undefined) {
      this.#stream.push(chunk)
      return
    }
    this.#bytes += chunk.length
    if (this.#bytes <= this.limit) this.#parts.push(chunk)
    else this.#parts = []
  }

  end(): BodyEnd {
    const { head, name, events } = this
    if (this.#stream !== undefined) return { stream: this.#stream, fault: undefined }
    if (this.#bytes > this.limit) {
      const error = tooLarge(name, this.#bytes, this.limit)
      events.diagnose('message-too-large', `${this.#bytes} bytes`)
      return { stream: undefined, fault: () => error }
    }
    const body = Buffer.concat(this.#parts)
    // 401, 403 and server errors mean what their status says, whatever stands in the body.
    const read = body.length > 0 && (head.status < 300 || JSON_RPC_STATUS.has(head.status))
    const messages = read ? this.#messagesIn(body) : undefined
    const usable = messages?.filter(({ kind }) => kind !== 'bad') ?? []
    if (usable.length > 0) {
      const type = head.headers['content-type']
      if (!this.#json || isStream(body)) events.diagnose('content-type-odd', type ?? 'none')
      for (const message of usable) events.received(message)
    } else if (messages !== undefined && messages.length > 0) events.diagnose('bad-message', 'no JSON-RPC in the body')
    return { stream: undefined, fault: () => this.#error(body.length) }
  }

  /** JSON, or an event stream that is called something else. */
  #messagesIn(body: Buffer): readonly Received[] | undefined {
    if (!isStream(body)) return readBytes(body, this.events.diagnose)
    const found: Received[] = []
    const reader = new SseReader(
      this.limit,
      ({ name, data }) => {
        if (name === 'message' && data !== '') found.push(...(readText(data, this.events.diagnose) ?? []))
      },
      () => {},
    )
    reader.push(Buffer.concat([body, Buffer.from('\n\n')]))
    return found
  }

  #error(bytes: number): McpError {
    const { head, name } = this
    if (head.status >= 300) return httpFailure(name, head)
    const type = head.headers['content-type'] ?? 'no content type'
    const what = bytes === 0 ? `an empty body (HTTP ${head.status})` : `${essence(type) || type} that is no answer`
    return new McpError('mcp-protocol-error', `${name} answered a request with ${what}.`, {
      detail: { status: head.status, empty: bytes === 0 },
    })
  }
}

const isStream = (body: Buffer): boolean =>
  /^\uFEFF?(?:event|data|id|retry)?:/.test(body.subarray(0, 16).toString('utf8'))

/** Refusals that come with a JSON-RPC error as their body. */
const JSON_RPC_STATUS: ReadonlySet<number> = new Set([400, 404, 406])

const essence = (type: string | undefined): string => (type?.split(';')[0] ?? '').trim().toLowerCase()
