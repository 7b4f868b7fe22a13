import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpError } from '../errors.js'
import type { AuthorizationAnswer, AuthorizationDesk } from './oauth-options.js'

const PATH = '/callback'
const WAIT_MS = 5 * 60_000
const DONE = '<!doctype html><title>Signed in</title><p>You can close this window and go back to the terminal.</p>'
const FAILED = '<!doctype html><title>Not signed in</title><p>Nothing was signed in. See the terminal.</p>'

export type LoopbackDesk = AuthorizationDesk & { readonly port: number; close(): void }

/**
 * Takes the answer of a browser on this machine (RFC 8252). Listens on 127.0.0.1 only, on the port that the client was
 * registered with where that is free. `show` brings the person to the address.
 */
export async function loopbackDesk(show: (url: URL) => void, wantedPort = 0, waitMs = WAIT_MS): Promise<LoopbackDesk> {
  let settle: ((answer: AuthorizationAnswer | McpError) => void) | undefined
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method !== 'GET' || url.pathname !== PATH || settle === undefined) {
      response.writeHead(404).end()
      return
    }
    const answer = readAnswer(url.searchParams)
    const failed = answer instanceof McpError
    response.writeHead(failed ? 400 : 200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' })
    response.end(failed ? FAILED : DONE)
    settle(answer)
  })
  const port = await listen(server, wantedPort).catch(() => listen(server, 0))
  server.unref()
  return {
    port,
    redirectUrl: `http://127.0.0.1:${port}${PATH}`,
    authorize(url) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => settle?.(new McpError('mcp-auth-required', 'Nobody signed in in time.')), waitMs)
        settle = (answer) => {
          settle = undefined
          clearTimeout(timer)
          if (answer instanceof McpError) reject(answer)
          else resolve(answer)
        }
        show(url)
      })
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function readAnswer(params: URLSearchParams): AuthorizationAnswer | McpError {
  const code = params.get('code')
  if (code === null) {
    const error = params.get('error') ?? 'no code'
    return new McpError('mcp-auth-required', `The sign-in was refused (${error.replace(/[^\w-]/g, '').slice(0, 60)}).`)
  }
  const [state, iss] = [params.get('state'), params.get('iss')]
  return { code, ...(state === null ? {} : { state }), ...(iss === null ? {} : { iss }) }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
