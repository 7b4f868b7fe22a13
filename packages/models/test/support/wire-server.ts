import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json, JsonObject, Model, ModelEvent, ModelRequest } from '@tenon/kernel'
import { userMessage } from '@tenon/kernel'

/** A provider on the loopback, as a test scripts it. Keeps what it was asked. */
export class WireServer implements AsyncDisposable {
  readonly requests: {
    readonly path: string
    readonly headers: IncomingMessage['headers']
    readonly body: JsonObject
  }[] = []
  readonly #server: Server

  private constructor(answer: (response: ServerResponse, request: IncomingMessage) => void) {
    this.#server = createServer((request, response) => {
      const pieces: Buffer[] = []
      request.on('data', (piece: Buffer) => pieces.push(piece))
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as JsonObject
        this.requests.push({ path: request.url ?? '', headers: request.headers, body })
        answer(response, request)
      })
    })
  }

  static async start(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<WireServer> {
    const started = new WireServer(answer)
    await new Promise<void>((resolve) => started.#server.listen(0, '127.0.0.1', resolve))
    return started
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

export const PLAIN_REQUEST: ModelRequest = {
  system: [],
  messages: [userMessage('Hello.')],
  tools: [],
  toolChoice: 'auto',
  settings: {},
}

export async function collect(
  model: Model,
  request: ModelRequest = PLAIN_REQUEST,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.generate(request, { signal })) events.push(event)
  return events
}

export function chunk(delta: Json, word: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: word }] })}\n\n`
}
