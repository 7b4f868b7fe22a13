import type { DpopSession } from '@modelcontextprotocol/client'
import { McpError } from '../errors.js'
import type { UpstreamAuth } from '../upstream/upstream.js'
import type { OAuthOptions } from './oauth-options.js'
import { asksPerson, OAuthProvider } from './oauth-provider.js'

/** A token is renewed this long before its end. */
const AHEAD_MS = 30_000
/** Times that more rights are asked for in a row; a server that is never content is given up. */
const MAX_STEP_UPS = 3

/**
 * Signing in to one server as one user, by OAuth 2.1 as MCP lays it down: protected-resource and authorization-server
 * metadata, PKCE, the issuer checked, client documents or registration, refreshing, more rights on demand. However
 * many requests find a token old, it is renewed once.
 */
export function oauthAuth(options: OAuthOptions): UpstreamAuth & { signIn(): Promise<void>; signOut(): void } {
  const provider = new OAuthProvider(options)
  let running: Promise<boolean> | undefined
  let stepUps = 0

  /** One flow at a time; who comes meanwhile gets its outcome. */
  const once = (flow: () => Promise<boolean>): Promise<boolean> => {
    running ??= flow().finally(() => {
      running = undefined
    })
    return running
  }

  const flow = async (extra: FlowExtra = {}): Promise<boolean> => {
    const { auth } = await import('../official-client.js')
    try {
      const outcome = await auth(provider, { serverUrl: options.url, ...extra })
      if (outcome === 'AUTHORIZED') return true
      return await askPerson(provider, options)
    } catch (error) {
      throw await asMcpError(error, options.name)
    }
  }

  const usable = (): boolean =>
    !asksPerson(options.grant) || options.desk !== undefined || provider.kept.tokens?.refresh_token !== undefined

  return {
    context: options.principal,
    ...(provider.dpop === undefined ? {} : proofs(provider, provider.dpop)),
    async token() {
      const { tokens, expiresAt } = provider.kept
      const old = expiresAt !== undefined && expiresAt - AHEAD_MS < Date.now()
      if (tokens === undefined || !old || tokens.refresh_token === undefined) return tokens?.access_token
      await once(() => flow()).catch(() => false)
      return provider.kept.tokens?.access_token
    },
    async challenged(status, challenge, sent) {
      const client = await import('../official-client.js')
      // Somebody else was refused first, and has the new token already.
      const now = provider.kept.tokens?.access_token
      if (status === 401 && now !== undefined && now !== sent && running === undefined) return true
      const response = new Response(null, {
        status,
        ...(challenge === undefined ? {} : { headers: { 'www-authenticate': challenge } }),
      })
      const { resourceMetadataUrl, scope, error } = client.extractWWWAuthenticateParams(response)
      if (status === 403 && error !== 'insufficient_scope') return false
      if (!usable()) {
        if (status === 401) throw signInFirst(options)
        return false
      }
      const where = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }
      if (status === 401) {
        stepUps = 0
        // A token that is refused may have been issued by who is not asked any more (SEP-2352).
        if (provider.kept.tokens !== undefined) provider.invalidateCredentials('discovery')
        return once(() => flow({ ...where, ...(scope === undefined ? {} : { scope }) }))
      }
      if (++stepUps > MAX_STEP_UPS) return false
      const held = provider.kept.tokens?.scope
      const wanted = client.computeScopeUnion(held, scope)
      return once(() =>
        flow({
          ...where,
          ...(wanted === undefined ? {} : { scope: wanted }),
          forceReauthorization: client.isStrictScopeSuperset(wanted, held),
        }),
      )
    },
    async signIn() {
      await once(() => flow({ forceReauthorization: true }))
    },
    signOut() {
      provider.forget()
    },
  }
}

/** What a token that is bound to our key needs with each request. */
function proofs(
  provider: OAuthProvider,
  session: () => Promise<DpopSession>,
): Required<Pick<UpstreamAuth, 'prove' | 'observe'>> {
  return {
    async prove(method, url, token) {
      if (provider.kept.tokens?.token_type.toLowerCase() !== 'dpop') return undefined
      const dpop = await (await session()).buildProof({ htm: method, htu: url, accessToken: token })
      return { authorization: `DPoP ${token}`, dpop }
    },
    async observe(url, nonce) {
      const bound = await session()
      bound.rememberNonce(url, nonce)
    },
  }
}

type FlowExtra = {
  readonly resourceMetadataUrl?: URL
  readonly scope?: string
  readonly forceReauthorization?: boolean
}

async function askPerson(provider: OAuthProvider, options: OAuthOptions): Promise<boolean> {
  const { desk, name, url } = options
  const { authorizationUrl } = provider
  if (desk === undefined || authorizationUrl === undefined) throw signInFirst(options)
  const answer = await desk.authorize(authorizationUrl)
  if (answer.state !== provider.expectedState)
    throw new McpError('mcp-auth-required', `The answer of the browser belongs to another sign-in at ${name}.`)
  const { auth } = await import('../official-client.js')
  const done = await auth(provider, {
    serverUrl: url,
    authorizationCode: answer.code,
    ...(answer.iss === undefined ? {} : { iss: answer.iss }),
  })
  return done === 'AUTHORIZED'
}

const signInFirst = ({ name, hint }: OAuthOptions): McpError =>
  new McpError('mcp-auth-required', `${name} wants somebody to sign in.${hint === undefined ? '' : ` ${hint}`}`)

/** Codes of OAuth are told; what a server wrote beside them may hold anything. */
async function asMcpError(error: unknown, name: string): Promise<McpError> {
  if (error instanceof McpError) return error
  const { OAuthError } = await import('../official-client.js')
  const why = error instanceof OAuthError ? ` (${error.code})` : ''
  return new McpError('mcp-auth-required', `Signing in to ${name} failed${why}.`, { cause: error })
}
