import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Json } from '@tenon/kernel'
import { A2AError } from '../errors.js'

const HEARTBEAT_MS = 15_000
/** How long a reader may take nothing. */
const PATIENCE_MS = 30_000

export type EventWriterOptions = { readonly heartbeatMs?: number; readonly patienceMs?: number }

/**
 * Server-sent events to one reader: a comment every 15 s so that nobody on the way takes a quiet stream for a dead one,
 * and no more in memory than the reader takes.
 */
export class EventWriter {
  readonly #timer: NodeJS.Timeout

  constructor(
    readonly response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    readonly options: EventWriterOptions = {},
  ) {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    })
    response.flushHeaders()
    this.#timer = setInterval(() => {
      if (!response.writableNeedDrain) response.write(': still here\n\n')
    }, options.heartbeatMs ?? HEARTBEAT_MS)
    this.#timer.unref()
    response.once('close', () => clearInterval(this.#timer))
  }

  /** @throws A2AError `a2a-reader-too-slow` after the stream was ended for it */
  async write(data: Json, id?: string): Promise<void> {
    const { response } = this
    if (response.destroyed) return
    const isFree = response.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`)
    if (isFree) return
    const patience = AbortSignal.timeout(this.options.patienceMs ?? PATIENCE_MS)
    const gone = new AbortController()
    const leave = (): void => gone.abort()
    response.once('close', leave)
    try {
      await once(response, 'drain', { signal: AbortSignal.any([patience, gone.signal]) })
    } catch {
      if (gone.signal.aborted) return
      response.destroy()
      throw new A2AError(
        'a2a-reader-too-slow',
        'The reader of a stream took nothing for too long; its stream was ended.',
      )
    } finally {
      response.off('close', leave)
    }
  }

  end(): void {
    clearInterval(this.#timer)
    if (!this.response.destroyed) this.response.end()
  }
}
