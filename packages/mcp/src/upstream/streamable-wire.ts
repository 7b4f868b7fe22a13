import { McpError } from '../errors.js'
import { AnswerReader } from './answer-reader.js'
import { HttpDoor } from './http-door.js'
import { type HttpHead, httpAgent } from './http-exchange.js'
import type { JsonRpcId, JsonRpcMessage, Received } from './json-rpc.js'
import { PushStream } from './push-stream.js'
import type { SseReader } from './sse-reader.js'
import type { UpstreamAuth, UpstreamLimits, UpstreamTarget } from './upstream.js'
import type { MakeWire, SendOptions, Wire, WireEvents } from './wire.js'

const ACCEPT = 'application/json, text/event-stream'
/** Times that a cut response stream is gone on with, where its events have ids. */
const MAX_RESUMES = 4
const RESUME_MS = 300
/** Milliseconds that a response stream may stay open after its answer. */
const LINGER_MS = 2_000

export type HttpWireOptions = {
  readonly name: string
  readonly target: Extract<UpstreamTarget, { kind: 'http' }>
  readonly limits: UpstreamLimits
  readonly auth: UpstreamAuth | undefined
}

/** Streamable HTTP, of both eras: each message is a POST, and the answer is a body or a stream of events. */
export function streamableWire(options: HttpWireOptions): MakeWire {
  return (events) => new StreamableWire(options, events)
}

type Open = { abort(): void; answered: boolean; streams: boolean }

class StreamableWire implements Wire {
  readonly transport = 'streamable'
  readonly log = ''
  readonly #agent = httpAgent()
  readonly #door: HttpDoor
  readonly #url: URL
  readonly #open = new Map<JsonRpcId, Open>()
  readonly #others = new Set<{ abort(): void }>()
  #pushes: PushStream | undefined
  #session: string | undefined
  #closed = false

  constructor(
    readonly options: HttpWireOptions,
    readonly events: WireEvents,
  ) {
    const { name, target, auth } = options
    this.#url = new URL(target.url)
    this.#door = new HttpDoor({
      name,
      url: this.#url,
      agent: this.#agent,
      headers: target.headers,
      auth,
      diagnose: events.diagnose,
    })
  }

  send(message: JsonRpcMessage, { headers }: SendOptions = {}): void {
    if (this.#closed) return
    const id = 'method' in message && 'id' in message ? message.id : undefined
    if (id === undefined) this.#sendAside(message, headers)
    else this.#request(id, message, headers)
  }

  forget(id: JsonRpcId): void {
    this.#open.get(id)?.abort()
    this.#open.delete(id)
  }

  listen(headers: Readonly<Record<string, string>>): void {
    this.#pushes ??= new PushStream({
      door: this.#door,
      url: this.#url,
      headers: () => ({ ...headers, ...this.#sessionHeader() }),
      name: this.options.name,
      limit: this.options.limits.maxMessageBytes,
      events: this.events,
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#pushes?.close()
    for (const one of [...this.#open.values(), ...this.#others]) one.abort()
    this.#open.clear()
    if (this.#session !== undefined) await this.#endSession()
    await this.#agent.destroy()
  }

  #request(id: JsonRpcId, message: JsonRpcMessage, headers: Readonly<Record<string, string>> | undefined): void {
    const sentSession = this.#session
    const open: Open = { abort: () => {}, answered: false, streams: false }
    this.#open.set(id, open)
    const lose = (error: McpError): void => {
      if (this.#open.get(id) !== open) return
      this.#open.delete(id)
      if (!open.answered) this.events.lost(id, error)
    }
    const received = (found: Received): void => this.#receive(id, open, found)
    let reader: AnswerReader | undefined
    let head: HttpHead | undefined
    const posted = this.#door.knock(this.#post(message, headers), {
      head: (got) => {
        head = got
        const session = got.headers['mcp-session-id']
        if (session !== undefined && isInitialize(message) && got.status < 300) this.#session = session
        open.streams = /^text\/event-stream/i.test(got.headers['content-type'] ?? '')
        reader = this.#reader(got, received, lose)
      },
      data: (chunk) => reader?.push(chunk),
      end: () => {
        if (reader === undefined || head === undefined) return
        const lostSession = sentSession !== undefined && head.status === 404
        const { stream, fault } = reader.end()
        if (open.answered) lose(answeredAlready)
        else if (lostSession) lose(this.#sessionLost())
        else if (fault !== undefined) lose(fault())
        else if (stream !== undefined) this.#resume(id, open, stream, 0, lose)
      },
      refused: lose,
      fail: (cause, sent) => {
        const stream = reader?.end().stream
        if (stream?.lastId !== undefined && !open.answered) this.#resume(id, open, stream, 0, lose)
        else lose(this.#unreachable(cause, sent))
      },
    })
    open.abort = () => posted.abort()
  }

  /** Notifications, and our answers to the server's requests. */
  #sendAside(message: JsonRpcMessage, headers: Readonly<Record<string, string>> | undefined): void {
    const lostSession = this.#session
    const posted = this.#door.knock(this.#post(message, headers), {
      head: (head) => {
        if (head.status === 404 && lostSession !== undefined) this.events.diagnose('message-ignored', 'session lost')
      },
      data() {},
      end: () => this.#others.delete(posted),
      refused: () => this.#others.delete(posted),
      fail: () => this.#others.delete(posted),
    })
    this.#others.add(posted)
  }

  #receive(id: JsonRpcId, open: Open, message: Received): void {
    if (message.kind === 'request' || message.kind === 'notification') {
      this.events.received(message, id)
      return
    }
    const own = 'id' in message && String(message.id) === String(id)
    // A refusal that names no request, or another one, can only mean the one that it answers.
    const foreign = message.kind === 'error' && !own && !this.#open.has(message.id ?? '')
    if ((own || foreign) && !open.answered) {
      open.answered = true
      // A server that does not end its stream would hold a connection for ever.
      if (open.streams) setTimeout(() => this.forget(id), LINGER_MS).unref()
    }
    this.events.received(foreign ? { ...message, id } : message, id)
  }

  #reader(head: HttpHead, received: (message: Received) => void, lose: (error: McpError) => void): AnswerReader {
    const { name, limits } = this.options
    return new AnswerReader(name, head, limits.maxMessageBytes, {
      received: this.#unlessSession(head, received, lose),
      tooLarge: lose,
      diagnose: this.events.diagnose,
    })
  }

  /** A 404 or 400 that is about our session says that the request did not run. */
  #unlessSession(
    { status }: HttpHead,
    received: (message: Received) => void,
    lose: (error: McpError) => void,
  ): (message: Received) => void {
    if (this.#session === undefined || (status !== 404 && status !== 400)) return received
    return (message) => {
      const about = message.kind === 'error' && /session/i.test(message.error.message)
      if (status === 404 || about) lose(this.#sessionLost())
      else received(message)
    }
  }

  /** Goes on with a response stream that was cut after an event with an id; else the request is lost now. */
  #resume(id: JsonRpcId, open: Open, stream: SseReader, tries: number, lose: (error: McpError) => void): void {
    const { name, limits } = this.options
    const { lastId } = stream
    const ended = new McpError('mcp-connection-lost', `The response stream of ${name} ended without the answer.`)
    if (lastId === undefined || lastId === '' || tries >= MAX_RESUMES || this.#closed) {
      lose(ended)
      return
    }
    const timer = setTimeout(
      () => {
        let reader: AnswerReader | undefined
        const again = this.#door.knock(
          {
            method: 'GET',
            url: this.#url,
            headers: { accept: 'text/event-stream', 'last-event-id': lastId, ...this.#sessionHeader() },
          },
          {
            head: (head) => {
              reader = new AnswerReader(name, head, limits.maxMessageBytes, {
                received: (message) => this.#receive(id, open, message),
                tooLarge: lose,
                diagnose: this.events.diagnose,
              })
            },
            data: (chunk) => reader?.push(chunk),
            end: () => {
              const next = reader?.end().stream
              if (open.answered) lose(answeredAlready)
              else if (next === undefined) lose(ended)
              else this.#resume(id, open, next.lastId === undefined ? stream : next, tries + 1, lose)
            },
            refused: lose,
            fail: () => this.#resume(id, open, stream, tries + 1, lose),
          },
        )
        open.abort = () => again.abort()
      },
      Math.min(stream.retryMs ?? RESUME_MS, 5_000),
    )
    open.abort = () => clearTimeout(timer)
  }

  #post(message: JsonRpcMessage, headers: Readonly<Record<string, string>> | undefined) {
    return {
      method: 'POST' as const,
      url: this.#url,
      headers: { 'content-type': 'application/json', accept: ACCEPT, ...headers, ...this.#sessionHeader() },
      body: JSON.stringify(message),
    }
  }

  #sessionHeader(): Record<string, string> {
    return this.#session === undefined ? {} : { 'mcp-session-id': this.#session }
  }

  #sessionLost(): McpError {
    return new McpError('mcp-session-lost', `${this.options.name} does not know the session any more.`)
  }

  #unreachable(cause: Error, sent: boolean): McpError {
    const { name } = this.options
    const { code } = cause as { code?: unknown }
    const why = typeof code === 'string' ? ` (${code})` : ''
    return sent
      ? new McpError('mcp-connection-lost', `The connection to ${name} ended under the request${why}.`, { cause })
      : new McpError('mcp-connection-lost', `${name} cannot be reached${why}.`, { cause, detail: { sent: false } })
  }

  #endSession(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 500)
      const done = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const request = { method: 'DELETE' as const, url: this.#url, headers: this.#sessionHeader() }
      this.#door.knock(request, { head() {}, data() {}, end: done, refused: done, fail: done })
    })
  }
}

/** Never told: the request had its answer. */
const answeredAlready = new McpError('mcp-closed', 'answered')

const isInitialize = (message: JsonRpcMessage): boolean => 'method' in message && message.method === 'initialize'
