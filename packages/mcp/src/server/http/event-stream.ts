import type { ServerResponse } from 'node:http'

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // Proxies that buffer would turn progress into silence.
  'x-accel-buffering': 'no',
}

/** Server-sent events on one response. Writing to a client that has left does nothing. */
export class EventStream {
  readonly #response: ServerResponse

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response
    response.writeHead(200, { ...HEADERS, ...headers })
    response.flushHeaders()
  }

  get open(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed
  }

  message(text: string, id?: string): void {
    if (this.open) this.#response.write(`event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`)
  }

  /** Where the client of an old HTTP+SSE stream sends what it says. */
  endpoint(address: string): void {
    if (this.open) this.#response.write(`event: endpoint\ndata: ${address}\n\n`)
  }

  /** An event without a message: it gives the client an id to come back with, and says when (SEP-1699). */
  prime(id: string, retryMs: number): void {
    if (this.open) this.#response.write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`)
  }

  beat(): void {
    if (this.open) this.#response.write(': still here\n\n')
  }

  end(): void {
    if (this.open) this.#response.end()
  }
}
