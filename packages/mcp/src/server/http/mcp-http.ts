import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MaybePromise } from '@tenon/kernel'
import { type Received, readMessage } from '../../upstream/json-rpc.js'
import { LEGACY_VERSIONS } from '../legacy/legacy-session.js'
import { ModernEndpoint } from '../modern/modern-endpoint.js'
import { RPC } from '../rpc-reply.js'
import { SERVER_LIMITS, type ServerLimits } from '../server-limits.js'
import type { McpService } from '../service.js'
import { type Authenticated, type BearerOptions, checkBearer, serveResourceMetadata } from './bearer.js'
import { guardHost, type HostGuard } from './host-guard.js'
import { KeepAlive } from './keep-alive.js'
import { isModernPost, serveModernPost } from './modern-http.js'
import { readJson } from './read-json.js'
import { refuse } from './refuse.js'
import { SessionTable } from './session-table.js'
import { SseSessions } from './sse-sessions.js'

export type McpHttpOptions = HostGuard & {
  readonly service: McpService
  /** Absent: `/mcp`. */
  readonly path?: string
  readonly limits?: Partial<ServerLimits>
  /** Absent: everybody who reaches the address is the same local user. */
  readonly bearer?: BearerOptions
  /**
   * For a server with a door of its own, past which requests come: says who asks, or has refused them. Then neither
   * Host and Origin nor a bearer is looked at here, and no page of elsewhere is let in.
   */
  readonly enter?: (request: IncomingMessage, response: ServerResponse) => MaybePromise<Authenticated | undefined>
  /** The old HTTP+SSE transport as well, at `sse` and `messages` beside the path. Absent: not. */
  readonly sse?: boolean
  /** 32 bytes. Replicas that share one open each other's states. */
  readonly sealKey?: Uint8Array
}

/** One address for both eras, to be mounted on a `node:http` server. */
export type McpHttp = {
  /** False when the request is for another path; then nothing was done. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  readonly sessions: number
  /** Ends sessions, subscriptions and calls. */
  close(): void
}

/** Everybody's principal where nobody is asked who they are. */
export const LOCAL_PRINCIPAL = 'local'

/**
 * Serves both eras on one endpoint: revision 2026-07-28 without sessions, and clients of before with a session, pushes
 * and streams that can be taken up again. What a request is, its body says; a header only has to agree.
 */
export function mcpHttp(options: McpHttpOptions): McpHttp {
  const limits = { ...SERVER_LIMITS, ...options.limits }
  const path = options.path ?? '/mcp'
  const modern = new ModernEndpoint(options.service, limits, options.sealKey)
  const sessions = new SessionTable(options.service, limits)
  const keepAlive = new KeepAlive(limits.keepAliveMs)
  keepAlive.add(() => sessions.beat())
  const beside = (name: string): string => path.replace(/[^/]*$/, name)
  const [ssePath, messagesPath] = [beside('sse'), beside('messages')]
  const sse = options.sse ? new SseSessions(options.service, limits, messagesPath) : undefined
  keepAlive.add(() => sse?.beat())
  const served = new Set(sse === undefined ? [path] : [path, ssePath, messagesPath])

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const who = await (options.enter ?? ownDoor)(request, response)
    if (who === undefined) return
    if (sse !== undefined && pathOf(request) !== path) return overSse(sse, request, response, who.principal)
    if (request.method === 'POST') return post(request, response, who.principal)
    if (request.method === 'GET' || request.method === 'DELETE') return ofSession(request, response, who.principal)
    response.setHeader('allow', 'GET, POST, DELETE, OPTIONS')
    refuse(response, 405, RPC.server, 'Use POST, or GET and DELETE with a session.')
  }

  async function ownDoor(request: IncomingMessage, response: ServerResponse): Promise<Authenticated | undefined> {
    const stranger = guardHost(request, options)
    if (stranger !== undefined) {
      refuse(response, 403, RPC.server, stranger)
      return undefined
    }
    allowOrigin(request, response)
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end()
      return undefined
    }
    return options.bearer === undefined ? LOCAL : checkBearer(request, response, options.bearer)
  }

  async function overSse(sse: SseSessions, request: IncomingMessage, response: ServerResponse, principal: string) {
    const wanted = pathOf(request) === ssePath ? 'GET' : 'POST'
    if (request.method === wanted)
      return wanted === 'GET' ? sse.open(response, principal) : sse.take(request, response, principal)
    response.setHeader('allow', `${wanted}, OPTIONS`)
    refuse(response, 405, RPC.server, `Use ${wanted} here.`)
  }

  async function post(request: IncomingMessage, response: ServerResponse, principal: string): Promise<void> {
    const body = await readJson(request, response, limits.maxMessageBytes)
    if (body === undefined) return
    const parsed = body.value
    if (Array.isArray(parsed)) return postLegacy(parsed.map(readMessage), request, response, principal, true)
    const message = readMessage(parsed)
    if (isModernPost(message, request))
      return serveModernPost(modern, message, request, response, { principal, keepAlive })
    return postLegacy([message], request, response, principal, false)
  }

  function postLegacy(
    messages: readonly Received[],
    request: IncomingMessage,
    response: ServerResponse,
    principal: string,
    batch: boolean,
  ) {
    const bad = messages.find((message) => message.kind === 'bad')
    if (bad !== undefined || messages.length === 0 || messages.length > 100)
      return refuse(response, 400, RPC.invalidRequest, 'The body is no JSON-RPC message.')
    const opening = !batch && messages[0]?.kind === 'request' && messages[0].method === 'initialize'
    const version = request.headers['mcp-protocol-version']
    if (typeof version === 'string' && !LEGACY_VERSIONS.includes(version.trim()))
      return refuse(
        response,
        400,
        opening ? RPC.headerMismatch : RPC.server,
        `Version ${version} does not fit this request.`,
      )
    const id = request.headers['mcp-session-id']
    if (opening && id === undefined) {
      const session = sessions.open(principal)
      if (session === undefined) return refuse(response, 503, RPC.server, 'Too many sessions are open.')
      return session.post(messages, response, false)
    }
    const session = typeof id === 'string' ? sessions.find(id, principal) : undefined
    if (session === undefined) return noSession(response, id)
    // Batches were part of 2025-03-26 only.
    if (batch && session.version !== '2025-03-26')
      return refuse(response, 400, RPC.invalidRequest, 'Arrays of messages belong to revision 2025-03-26.')
    session.post(messages, response, batch)
  }

  function ofSession(request: IncomingMessage, response: ServerResponse, principal: string) {
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.find(id, principal) : undefined
    if (session === undefined) {
      if (id === undefined) response.setHeader('allow', 'POST')
      return id === undefined
        ? refuse(response, 405, RPC.server, 'Without a session there is only POST.')
        : noSession(response, id)
    }
    if (request.method === 'DELETE') {
      sessions.end(session)
      response.writeHead(204).end()
      return
    }
    if (!/text\/event-stream|\*\/\*/.test(request.headers.accept ?? ''))
      return refuse(response, 406, RPC.server, 'This is a stream: accept text/event-stream.')
    const last = request.headers['last-event-id']
    if (!session.listen(response, typeof last === 'string' ? last : undefined))
      refuse(response, 409, RPC.server, 'This session has a stream for pushes already.')
  }

  return {
    handle(request, response) {
      if (serveResourceMetadata(request, response, options.bearer?.metadata)) return true
      if (!served.has(pathOf(request))) return false
      serve(request, response).catch(() => {
        // The client left in the middle, or a defect: nothing of it is for the client.
        if (response.headersSent) response.destroy()
        else refuse(response, 500, RPC.internal, 'The server failed to answer this request.')
      })
      return true
    },
    get sessions() {
      return sessions.size + (sse?.size ?? 0)
    },
    close() {
      keepAlive.close()
      modern.close()
      sessions.close()
      sse?.close()
    },
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

const LOCAL = { principal: LOCAL_PRINCIPAL }

function noSession(response: ServerResponse, id: unknown): void {
  if (id === undefined) refuse(response, 400, RPC.server, 'Send initialize first, or the session id that it gave.')
  else refuse(response, 404, RPC.sessionNotFound, 'There is no such session. Initialize again.')
}

function allowOrigin(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers
  if (origin === undefined) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'origin')
  response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate')
  if (request.method !== 'OPTIONS') return
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  response.setHeader(
    'access-control-allow-headers',
    'authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name',
  )
}
