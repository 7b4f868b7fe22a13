// An authorization server and an MCP server that trusts it, for tests: registration, PKCE, one-time refresh tokens,
// tokens that can be ended from outside, and a tool that needs more rights than the others.
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ProofChecker } from './proof-checker.js'

type Code = { challenge: string | null; scope: string; expiresIn: number | undefined }
type Seen = {
  registrations: number
  refreshes: number
  grants: number
  authorizations: string[]
  expiresIn?: number
  iss?: string
  /** What the platform says of a workload at this time. */
  statement?: string
  /** What the server says of a person, where it is an identity provider as well. */
  idToken?: string
}
type Route = (body: string, request: IncomingMessage) => [status: number, json: object]

export async function startAuthorizationServer(proofs?: ProofChecker) {
  const clients = new Map<string | null, object>()
  const codes = new Map<string | null, Code>()
  const refreshes = new Map<string | null, string>()
  const tokens = new Map<string, string>()
  const seen: Seen = { registrations: 0, refreshes: 0, grants: 0, authorizations: [] }
  let base = ''

  const issue = (scope: string, boundTo: string | undefined, expiresIn = 3600) => {
    const [access_token, refresh_token] = [`at-${randomUUID()}`, `rt-${randomUUID()}`]
    tokens.set(access_token, scope)
    refreshes.set(refresh_token, scope)
    for (const token of [access_token, refresh_token]) proofs?.bind(token, boundTo)
    return {
      access_token,
      refresh_token,
      token_type: boundTo === undefined ? 'Bearer' : 'DPoP',
      expires_in: expiresIn,
      scope,
    }
  }

  const routes: Readonly<Record<string, Route>> = {
    '/.well-known/oauth-protected-resource/mcp': () => [
      200,
      { resource: `${base}/mcp`, authorization_servers: [base] },
    ],
    '/.well-known/oauth-authorization-server': () => [
      200,
      {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
      },
    ],
    '/register': (body) => {
      seen.registrations++
      const client_id = `client-${randomUUID()}`
      clients.set(client_id, JSON.parse(body))
      return [201, { ...JSON.parse(body), client_id }]
    },
    '/token': (body, request) => {
      const form = new URLSearchParams(body)
      const boundTo = proofs?.keyOf(request, `${base}/token`)
      if (!clients.has(form.get('client_id'))) return [401, { error: 'invalid_client' }]
      if (form.get('grant_type') === 'refresh_token') {
        const scope = refreshes.get(form.get('refresh_token'))
        if (scope === undefined || proofs?.isBound(form.get('refresh_token'), boundTo) === false)
          return [400, { error: 'invalid_grant' }]
        seen.refreshes++
        // Each refresh token is good once: two refreshes at a time would lose one of them.
        refreshes.delete(form.get('refresh_token'))
        return [200, issue(scope, boundTo)]
      }
      if (form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:token-exchange') {
        const right = form.get('audience') === base && form.get('resource') === `${base}/mcp`
        if (!right || form.get('subject_token') !== seen.idToken) return [400, { error: 'invalid_grant' }]
        const issued_token_type = 'urn:ietf:params:oauth:token-type:id-jag'
        return [200, { issued_token_type, access_token: seen.statement, token_type: 'N_A' }]
      }
      if (form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer')
        return form.get('assertion') === seen.statement
          ? [200, issue(form.get('scope') ?? 'read', boundTo)]
          : [400, { error: 'invalid_grant' }]
      const code = codes.get(form.get('code'))
      codes.delete(form.get('code'))
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (code === undefined || code.challenge !== challenge || form.get('resource') !== `${base}/mcp`)
        return [400, { error: 'invalid_grant' }]
      seen.grants++
      return [200, issue(code.scope, boundTo, code.expiresIn)]
    },
  }

  const answerMcp = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ')
    const scope = scheme === (proofs === undefined ? 'Bearer' : 'DPoP') ? tokens.get(token) : undefined
    const metadata = `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`
    if (scope === undefined)
      return response.writeHead(401, { 'www-authenticate': `Bearer ${metadata}, scope="read"` }).end()
    const wrong = proofs?.fault(request, `${base}/mcp`, token)
    if (wrong !== undefined) {
      const nonce = { 'dpop-nonce': proofs?.nonce ?? '' }
      return response.writeHead(401, { 'www-authenticate': `DPoP error="${wrong}"`, ...nonce }).end()
    }
    if (request.method !== 'POST') return response.writeHead(405).end()
    const message = JSON.parse(body) as { id: number; method: string; params?: { name?: string } }
    if (message.params?.name === 'write' && !scope.split(' ').includes('write')) {
      const more = `Bearer error="insufficient_scope", scope="write", ${metadata}`
      return response.writeHead(403, { 'www-authenticate': more }).end()
    }
    const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
    const results: Readonly<Record<string, object>> = {
      'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      'tools/list': { tools: [tool('read'), tool('write')] },
      'tools/call': { content: [{ type: 'text', text: `${message.params?.name} with ${scope}` }] },
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(
      JSON.stringify({
        jsonrpc: '2.0',
        id: message.id,
        result: { resultType: 'complete', ...results[message.method] },
      }),
    )
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    let body = ''
    for await (const chunk of request) body += chunk
    if (url.pathname === '/mcp') return answerMcp(request, response, body)
    if (url.pathname === '/authorize') {
      const code = randomUUID()
      const scope = url.searchParams.get('scope') ?? 'read'
      seen.authorizations.push(scope)
      codes.set(code, { challenge: url.searchParams.get('code_challenge'), scope, expiresIn: seen.expiresIn })
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({
        code,
        state: url.searchParams.get('state') ?? '',
        iss: seen.iss ?? base,
      }).toString()
      return response.writeHead(302, { location: back.href }).end()
    }
    const route = routes[url.pathname]
    const [status, json] = route === undefined ? [404, {}] : route(body, request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${base}/mcp`,
    seen,
    endTokens: () => tokens.clear(),
    forgetClients: () => clients.clear(),
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
