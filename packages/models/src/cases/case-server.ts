import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the server answers to the next request. */
export type Scripted = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: readonly Uint8Array[]
}

/** A server on the loopback that writes given bytes, whatever it is asked. */
export class CaseServer implements AsyncDisposable {
  readonly #server = createServer((request, response) => {
    request.resume()
    const answer = this.next
    if (answer === undefined) {
      response.destroy()
      return
    }
    response.writeHead(answer.status, contentHeaders(answer.headers))
    for (const piece of answer.pieces) response.write(piece)
    response.end()
  })
  next: Scripted | undefined

  static async start(): Promise<CaseServer> {
    const started = new CaseServer()
    await new Promise<void>((resolve) => started.#server.listen(0, '127.0.0.1', resolve))
    return started
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

/** How the bytes are framed is the server's own business. */
function contentHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const framing = ['content-length', 'transfer-encoding', 'connection']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.includes(name.toLowerCase())))
}
