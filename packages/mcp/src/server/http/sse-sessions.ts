import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readMessage } from '../../upstream/json-rpc.js'
import { LegacySession } from '../legacy/legacy-session.js'
import { RPC } from '../rpc-reply.js'
import type { ServerLimits } from '../server-limits.js'
import type { McpService } from '../service.js'
import { EventStream } from './event-stream.js'
import { readJson } from './read-json.js'
import { refuse } from './refuse.js'

type SseSession = { readonly session: LegacySession; readonly stream: EventStream }

const SESSION = 'sessionId'

/**
 * HTTP+SSE of 2024-11-05, for clients that speak nothing newer: a stream that all answers come on, and an address for
 * what the client says, which the stream names first. The session is the connection of its stream.
 */
export class SseSessions {
  readonly #service: McpService
  readonly #limits: ServerLimits
  readonly #messagesPath: string
  readonly #sessions = new Map<string, SseSession>()

  constructor(service: McpService, limits: ServerLimits, messagesPath: string) {
    this.#service = service
    this.#limits = limits
    this.#messagesPath = messagesPath
  }

  get size(): number {
    return this.#sessions.size
  }

  /** A GET: the stream of a new session. */
  open(response: ServerResponse, principal: string): void {
    if (this.#sessions.size >= this.#limits.maxSessions) {
      refuse(response, 503, RPC.server, 'Too many sessions are open.')
      return
    }
    const id = randomUUID()
    const stream = new EventStream(response)
    const say = (text: string | undefined): void => {
      if (text !== undefined) stream.message(text)
    }
    const session = new LegacySession({
      service: this.#service,
      limits: this.#limits,
      principal,
      session: id,
      send: say,
      answer: say,
    })
    this.#sessions.set(id, { session, stream })
    response.on('close', () => {
      this.#sessions.delete(id)
      session.close()
    })
    stream.endpoint(`${this.#messagesPath}?${SESSION}=${id}`)
  }

  /** A POST: one message of a session. What there is to answer goes to its stream. */
  async take(request: IncomingMessage, response: ServerResponse, principal: string): Promise<void> {
    const id = new URL(request.url ?? '', 'http://localhost').searchParams.get(SESSION)
    const found = id === null ? undefined : this.#sessions.get(id)
    // A session of somebody else is as good as none.
    if (found === undefined || found.session.principal !== principal)
      return refuse(response, 404, RPC.sessionNotFound, 'There is no such session. Open the stream again.')
    const body = await readJson(request, response, this.#limits.maxMessageBytes)
    if (body === undefined) return
    const message = readMessage(body.value)
    if (message.kind === 'bad') return refuse(response, 400, RPC.invalidRequest, 'The body is no JSON-RPC message.')
    response.writeHead(202).end()
    await found.session.receive(message)
  }

  beat(): void {
    for (const { stream } of this.#sessions.values()) stream.beat()
  }

  close(): void {
    for (const { session, stream } of this.#sessions.values()) {
      session.close()
      stream.end()
    }
    this.#sessions.clear()
  }
}
