import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { HostError } from '../../errors.js'

export type SseWriterOptions = {
  /** Milliseconds between comments that keep a quiet stream from being taken for a dead one; 15 s if absent. */
  readonly heartbeatMs?: number
  /** Milliseconds that a reader may take nothing; 30 s if absent. */
  readonly patienceMs?: number
  /** For clients that are no `EventSource`: some take a word on reconnecting for an event without data. */
  readonly saysRetry?: boolean
}

const HEARTBEAT_MS = 15_000
const PATIENCE_MS = 30_000
/** Milliseconds after which an `EventSource` that was cut comes again. */
const RETRY_MS = 500

/** Server-sent events (HTML standard, section 9.2) to one reader, with no more in memory than the reader takes. */
export class SseWriter {
  readonly #patienceMs: number
  readonly #timer: NodeJS.Timeout

  constructor(
    readonly response: ServerResponse,
    options: SseWriterOptions = {},
  ) {
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    if (options.saysRetry !== false) response.write(`retry: ${RETRY_MS}\n\n`)
    this.#timer = setInterval(() => {
      if (!response.writableNeedDrain) response.write(': still here\n\n')
    }, options.heartbeatMs ?? HEARTBEAT_MS)
    this.#timer.unref()
  }

  /** `message` is the name that a reader gets without asking for one. @throws HostError `reader-too-slow` */
  async send(name: string, data: object, id?: number): Promise<void> {
    const { response } = this
    if (response.writableEnded || response.destroyed) return
    if (response.write(eventText(name, data, id))) return
    const patience = AbortSignal.timeout(this.#patienceMs)
    const gone = new AbortController()
    const leave = (): void => gone.abort()
    response.once('close', leave)
    try {
      await once(response, 'drain', { signal: AbortSignal.any([patience, gone.signal]) })
    } catch {
      if (gone.signal.aborted) return
      response.destroy()
      throw new HostError('reader-too-slow', 'The reader of a stream took nothing for too long; it was dropped.')
    } finally {
      response.off('close', leave)
    }
  }

  /** The last event, and the end of the stream. */
  end(name: string, data: object): void {
    clearInterval(this.#timer)
    if (!this.response.writableEnded && !this.response.destroyed) this.response.end(eventText(name, data))
  }

  close(): void {
    clearInterval(this.#timer)
    if (!this.response.destroyed) this.response.end()
  }
}

const eventText = (name: string, data: object, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${name === 'message' ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
