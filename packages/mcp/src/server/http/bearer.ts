import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject, MaybePromise } from '@tenon/kernel'

/** Who an access token stands for. */
export type Authenticated = { readonly principal: string; readonly scopes?: readonly string[] }

export type BearerOptions = {
  /** Checks a token; undefined when it is not good here. Must not accept tokens that were issued for another resource. */
  readonly authenticate: (token: string, request: IncomingMessage) => MaybePromise<Authenticated | undefined>
  /** Needed for every request. */
  readonly scopes?: readonly string[]
  /** The protected-resource metadata (RFC 9728); clients find the authorization server by it. */
  readonly metadata?: JsonObject & { readonly resource: string }
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** Answers a request for the metadata, at the root and at the path of the resource; true when it was one. */
export function serveResourceMetadata(
  request: IncomingMessage,
  response: ServerResponse,
  metadata: BearerOptions['metadata'],
): boolean {
  if (metadata === undefined || request.url === undefined) return false
  const path = request.url.split('?', 1)[0]
  if (path !== WELL_KNOWN && path !== WELL_KNOWN + new URL(metadata.resource).pathname) return false
  response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
  response.end(JSON.stringify(metadata))
  return true
}

/** Who asks; undefined when the request has been refused, with what the client needs to get a token (RFC 6750, 9728). */
export async function checkBearer(
  request: IncomingMessage,
  response: ServerResponse,
  options: BearerOptions,
): Promise<Authenticated | undefined> {
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1]
  const who = token === undefined ? undefined : await options.authenticate(token, request)
  if (who === undefined) {
    refuse(response, 401, token === undefined ? undefined : 'invalid_token', options)
    return undefined
  }
  const missing = (options.scopes ?? []).some((scope) => !who.scopes?.includes(scope))
  if (!missing) return who
  refuse(response, 403, 'insufficient_scope', options)
  return undefined
}

function refuse(response: ServerResponse, status: number, error: string | undefined, options: BearerOptions): void {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(options.scopes === undefined ? [] : [`scope="${options.scopes.join(' ')}"`]),
    ...(options.metadata === undefined ? [] : [`resource_metadata="${metadataUrl(options.metadata.resource)}"`]),
  ]
  response.writeHead(status, {
    'www-authenticate': parts.length === 0 ? 'Bearer' : `Bearer ${parts.join(', ')}`,
    'content-type': 'application/json',
  })
  response.end(JSON.stringify({ error: error ?? 'unauthorized' }))
}

function metadataUrl(resource: string): string {
  const url = new URL(resource)
  return `${url.origin}${WELL_KNOWN}${url.pathname === '/' ? '' : url.pathname}`
}
