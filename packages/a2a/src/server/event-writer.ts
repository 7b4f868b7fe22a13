import type { ServerResponse } from 'node:http'
import type { Json } from '@tenon/kernel'
import { A2AError } from '../errors.js'

const HEARTBEAT_MS = 15_000
const TOO_SLOW = 'The reader of a stream took nothing for too long; its stream was ended.'
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
    await this.#drained()
  }

  /** Until the reader has taken what there is, or has gone. */
  #drained(): Promise<void> {
    const { response } = this
    return new Promise((resolve, reject) => {
      const over = (): void => {
        clearTimeout(patience)
        response.off('drain', over)
        response.off('close', over)
        resolve()
      }
      const patience = setTimeout(() => {
        response.off('drain', over)
        response.off('close', over)
        response.destroy()
        reject(new A2AError('a2a-reader-too-slow', TOO_SLOW))
      }, this.options.patienceMs ?? PATIENCE_MS)
      response.once('drain', over)
      response.once('close', over)
    })
  }

  end(): void {
    clearInterval(this.#timer)
    if (!this.response.destroyed) this.response.end()
  }
}
