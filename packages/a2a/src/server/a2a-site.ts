import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CardSigner } from '../cards/card-signer.js'
import type { A2AEndpoint } from './a2a-endpoint.js'

export type A2ASiteOptions = {
  /** Endpoints by the path that their agents lie under, such as `/a2a/assistant`; no slash at the end. */
  readonly endpoints: ReadonlyMap<string, A2AEndpoint>
  /** Whose card stands at the well-known path of the host. */
  readonly first: A2AEndpoint
  readonly signer?: CardSigner
}

const WELL_KNOWN = '/.well-known/agent-card.json'

/** All agents of one host: their endpoints, the first one's card, a catalogue of all cards, and the keys that sign them. */
export class A2ASite {
  constructor(readonly options: A2ASiteOptions) {}

  /** False where the path is none of ours, so that others may serve on the same port. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host')
    if (pathname === WELL_KNOWN) {
      this.options.first.serveCard(request, response, searchParams)
      return true
    }
    if (pathname === '/.well-known/agent-catalog.json') {
      json(response, { agents: [...this.options.endpoints.values()].map(({ card }) => card) })
      return true
    }
    if (pathname === '/.well-known/jwks.json' && this.options.signer !== undefined) {
      json(response, this.options.signer.keySet())
      return true
    }
    for (const [base, endpoint] of this.options.endpoints)
      if (pathname.startsWith(`${base}/`))
        return endpoint.serve(request, response, pathname.slice(base.length), searchParams)
    return false
  }
}

function json(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' })
  response.end(JSON.stringify(value))
}
