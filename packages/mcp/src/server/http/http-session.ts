import type { ServerResponse } from 'node:http'
import type { JsonRpcId, Received } from '../../upstream/json-rpc.js'
import { LegacySession } from '../legacy/legacy-session.js'
import { faultText, RPC } from '../rpc-reply.js'
import type { ServerLimits } from '../server-limits.js'
import type { McpService } from '../service.js'
import { EventStream } from './event-stream.js'
import { eventId, readEventId, StreamLog } from './stream-log.js'

/** The stream for messages that belong to no request. */
const PUSHES = 'push'

/** When a client comes back to a stream that ended before its answer. Milliseconds. */
const RETRY_MS = 1000

/** One stream of a session: the answers to one POST, or what is pushed. It outlives the connection it is sent on. */
type Stream = {
  readonly name: string
  seq: number
  /** Requests that are not answered yet. */
  readonly waiting: Set<JsonRpcId>
  response: ServerResponse | undefined
  events: EventStream | undefined
}

export type HttpSessionOptions = {
  readonly service: McpService
  readonly limits: ServerLimits
  readonly principal: string
  readonly id: string
}

/** A legacy client over Streamable HTTP (2025-03-26 to 2025-11-25): its session, its streams and what they can repeat. */
export class HttpSession {
  readonly id: string
  readonly #session: LegacySession
  readonly #log: StreamLog
  readonly #streams = new Map<string, Stream>()
  readonly #byRequest = new Map<JsonRpcId, Stream>()
  readonly #pushes: Stream = { name: PUSHES, seq: 0, waiting: new Set(), response: undefined, events: undefined }
  #posts = 0
  lastUsed = Date.now()

  constructor({ service, limits, principal, id }: HttpSessionOptions) {
    this.id = id
    this.#log = new StreamLog(limits.replayBytes)
    this.#streams.set(PUSHES, this.#pushes)
    this.#session = new LegacySession({
      service,
      limits,
      principal,
      session: id,
      send: (text, about) =>
        this.#send((about === undefined ? undefined : this.#byRequest.get(about)) ?? this.#pushes, text),
      answer: (text, about) => this.#answer(text, about),
    })
  }

  get principal(): string {
    return this.#session.principal
  }

  get version(): string | undefined {
    return this.#session.version
  }

  /** Somebody listens or waits. */
  get inUse(): boolean {
    return this.#session.busy || this.#pushes.events?.open === true
  }

  /** Answers on the response of the POST: plain JSON where one answer is all there is, events otherwise. */
  post(messages: readonly Received[], response: ServerResponse, batch: boolean): void {
    this.lastUsed = Date.now()
    const ids = messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []))
    if (ids.length === 0) {
      for (const message of messages) void this.#session.receive(message)
      response.writeHead(202).end()
      return
    }
    const taken = ids.find((id) => this.#session.isRunning(id))
    if (taken !== undefined) {
      const fault = { code: RPC.invalidRequest, message: 'This id is in use.' }
      response.writeHead(400, { 'content-type': 'application/json' }).end(faultText(taken, fault))
      return
    }
    const stream: Stream = { name: `p${++this.#posts}`, seq: 0, waiting: new Set(ids), response, events: undefined }
    this.#streams.set(stream.name, stream)
    for (const id of ids) this.#byRequest.set(id, stream)
    response.on('close', () => {
      if (stream.response === response) stream.response = undefined
    })
    if (batch) this.#openEvents(stream)
    for (const message of messages) void this.#session.receive(message)
  }

  /** A GET: the stream for pushes, or one that broke off, from where it broke off. False when there is one already. */
  listen(response: ServerResponse, lastEventId: string | undefined): boolean {
    this.lastUsed = Date.now()
    const place = lastEventId === undefined ? undefined : readEventId(lastEventId)
    const stream = place === undefined ? this.#pushes : this.#streams.get(place.stream)
    if (place === undefined && this.#pushes.events?.open === true) return false
    const events = new EventStream(response, this.#headers())
    if (place !== undefined)
      for (const { seq, text } of this.#log.after(place.stream, place.seq))
        events.message(text, eventId(place.stream, seq))
    if (stream === undefined) {
      // All that it had to say has been said.
      events.end()
      return true
    }
    stream.events?.end()
    stream.response = response
    stream.events = events
    if (place === undefined) this.#prime(stream)
    return true
  }

  /** For those that wait: a POST without an answer yet becomes a stream that the client can come back to. */
  beat(): void {
    for (const stream of this.#streams.values()) {
      if (stream.events !== undefined) stream.events.beat()
      else if (stream.response !== undefined) this.#openEvents(stream)
    }
  }

  close(): void {
    this.#session.close()
    for (const stream of this.#streams.values()) {
      if (stream.events !== undefined) stream.events.end()
      else if (stream.response?.headersSent === false) stream.response.writeHead(404).end()
    }
    this.#streams.clear()
  }

  #send(stream: Stream, text: string): void {
    if (stream !== this.#pushes && stream.events === undefined && stream.response !== undefined)
      this.#openEvents(stream)
    stream.seq++
    this.#log.add({ stream: stream.name, seq: stream.seq, text })
    stream.events?.message(text, eventId(stream.name, stream.seq))
  }

  #answer(text: string | undefined, id: JsonRpcId): void {
    this.lastUsed = Date.now()
    const stream = this.#byRequest.get(id)
    this.#byRequest.delete(id)
    if (stream === undefined) return
    stream.waiting.delete(id)
    const { response } = stream
    if (stream.events === undefined && response !== undefined) {
      this.#streams.delete(stream.name)
      if (text === undefined) response.writeHead(202).end()
      else {
        const length = { 'content-length': Buffer.byteLength(text) }
        response.writeHead(200, { 'content-type': 'application/json', ...length, ...this.#headers() }).end(text)
      }
      return
    }
    if (text !== undefined) this.#send(stream, text)
    if (stream.waiting.size > 0) return
    this.#streams.delete(stream.name)
    stream.events?.end()
  }

  #openEvents(stream: Stream): void {
    if (stream.response === undefined || stream.events !== undefined) return
    stream.events = new EventStream(stream.response, this.#headers())
    this.#prime(stream)
  }

  #prime(stream: Stream): void {
    // Clients of before 2025-11-25 take an empty event for a broken message.
    if ((this.version ?? '') >= '2025-11-25') stream.events?.prime(eventId(stream.name, stream.seq), RETRY_MS)
  }

  #headers(): Readonly<Record<string, string>> {
    return { 'mcp-session-id': this.id }
  }
}
