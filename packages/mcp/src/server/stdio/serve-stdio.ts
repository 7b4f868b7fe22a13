import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Json } from '@tenon/kernel'
import { McpError } from '../../errors.js'
import { LineSplitter } from '../../tap/line-splitter.js'
import { type JsonRpcId, type Received, readMessage } from '../../upstream/json-rpc.js'
import { LegacySession } from '../legacy/legacy-session.js'
import { claimsEnvelope } from '../modern/envelope.js'
import type { Listener } from '../modern/listeners.js'
import { isListener, ModernEndpoint } from '../modern/modern-endpoint.js'
import { faultText, RPC } from '../rpc-reply.js'
import { SERVER_LIMITS, type ServerLimits } from '../server-limits.js'
import type { McpService } from '../service.js'

export type ServeStdioOptions = {
  readonly service: McpService
  readonly stdin: Readable
  readonly stdout: NodeJS.WritableStream
  readonly limits?: Partial<ServerLimits>
  /** Whose requests these are. Absent: the one user of the pipe. */
  readonly principal?: string
  readonly signal?: AbortSignal
}

/** Serves both eras over a pair of pipes: each request says which one it belongs to. Resolves when the client has gone. */
export async function serveStdio(options: ServeStdioOptions): Promise<void> {
  const { service, stdin, stdout, principal = 'local', signal } = options
  const limits = { ...SERVER_LIMITS, ...options.limits }
  const write = (text: string): void => {
    if (stdout.writable) stdout.write(`${text}\n`)
  }
  const legacy = new LegacySession({
    service,
    limits,
    principal,
    session: randomUUID(),
    send: write,
    answer: (text) => {
      if (text !== undefined) write(text)
    },
  })
  const modern = new ModernPipe(new ModernEndpoint(service, limits), principal, write)
  const receive = (message: Received): void => {
    if (message.kind === 'request' && claimsEnvelope(message.params)) void modern.request(message)
    else if (message.kind === 'notification' && modern.cancelled(message)) return
    else void legacy.receive(message)
  }
  const splitter = new LineSplitter(limits.maxMessageBytes, ({ head, digest }) => {
    if (digest !== undefined)
      return write(
        faultText(null, { code: RPC.invalidRequest, message: `A message may have ${limits.maxMessageBytes} bytes.` }),
      )
    const text = head.toString('utf8').trim()
    if (text === '') return
    let parsed: Json
    try {
      parsed = JSON.parse(text) as Json
    } catch {
      return write(faultText(null, { code: RPC.parse, message: 'This line is not JSON.' }))
    }
    if (Array.isArray(parsed) && legacy.version === '2025-03-26')
      for (const one of parsed) receive(readMessage(one as Json))
    else receive(readMessage(parsed))
  })
  await new Promise<void>((done) => {
    stdin.on('data', (chunk: Buffer) => splitter.write(chunk))
    stdin.once('end', done)
    stdin.once('close', done)
    stdin.once('error', () => done())
    signal?.addEventListener('abort', () => done(), { once: true })
  })
  legacy.close()
  modern.close()
}

/** The modern requests of one pipe: cancelled by name, since there is no stream of their own to close. */
class ModernPipe {
  readonly #endpoint: ModernEndpoint
  readonly #principal: string
  readonly #write: (text: string) => void
  readonly #running = new Map<JsonRpcId, AbortController>()
  readonly #listening = new Map<JsonRpcId, Listener>()

  constructor(endpoint: ModernEndpoint, principal: string, write: (text: string) => void) {
    this.#endpoint = endpoint
    this.#principal = principal
    this.#write = write
  }

  async request({ id, method, params }: Received & { kind: 'request' }): Promise<void> {
    const common = { id, method, params, principal: this.#principal }
    const running = new AbortController()
    // Nothing about a request may follow its answer or its cancelling.
    const send = (text: string): void => {
      if (!running.signal.aborted) this.#write(text)
    }
    this.#running.set(id, running)
    if (method === 'subscriptions/listen') {
      const listening = await this.#endpoint.listen({ ...common, send }, () => {
        this.#listening.delete(id)
        this.#running.delete(id)
      })
      if (!isListener(listening)) {
        this.#running.delete(id)
        this.#write(listening.text)
      } else if (this.#running.has(id)) this.#listening.set(id, listening)
      return
    }
    const answer = await this.#endpoint.serve({ ...common, signal: running.signal, send })
    this.#running.delete(id)
    send(answer.text)
  }

  /** True when the notification was about a request of ours. */
  cancelled({ method, params }: Received & { kind: 'notification' }): boolean {
    const id = params.requestId
    if (method !== 'notifications/cancelled' || (typeof id !== 'string' && typeof id !== 'number')) return false
    const running = this.#running.get(id)
    if (running === undefined) return false
    running.abort(new McpError('mcp-cancelled', 'The client cancelled.'))
    this.#listening.get(id)?.stop()
    return true
  }

  close(): void {
    this.#endpoint.close()
    for (const running of this.#running.values()) running.abort(new McpError('mcp-closed', 'The client has left.'))
  }
}
