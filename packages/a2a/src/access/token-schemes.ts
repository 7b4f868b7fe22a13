import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import type { AccessScheme, Verdict } from './access.js'
import { bearerToken } from './bearer-token.js'
import { discover } from './oidc-discovery.js'

export type JwtOptions = {
  readonly issuer: string
  /** Tokens for others are not ours to take. */
  readonly audience: string
  /** Where the issuer's keys lie; found by OpenID Connect discovery if absent. */
  readonly jwksUrl?: string
  /** The claim that names the owner; `sub` if absent. */
  readonly ownerClaim?: string
  /** A scope without which a caller is known and may do nothing. */
  readonly scope?: string
}

const ALGORITHMS = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA']

/** Bearer tokens that an issuer signed (RFC 9068, OpenID Connect). */
export function jwtBearer(options: JwtOptions): AccessScheme {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined
  return {
    name: 'oidc',
    declaration: {
      openIdConnectSecurityScheme: { openIdConnectUrl: `${trimmed(options.issuer)}/.well-known/openid-configuration` },
    },
    challenge: `Bearer realm="tenon", issuer="${options.issuer}"`,
    async judge(request): Promise<Verdict> {
      const token = bearerToken(request)
      if (token === undefined || token.split('.').length !== 3) return { kind: 'unknown' }
      try {
        keys ??= createRemoteJWKSet(new URL(options.jwksUrl ?? (await discover(options.issuer)).jwksUrl))
        const { payload } = await jwtVerify(token, keys, {
          issuer: options.issuer,
          audience: options.audience,
          algorithms: ALGORITHMS,
          clockTolerance: 30,
          requiredClaims: ['exp'],
        })
        return verdictOf(payload, options)
      } catch {
        return { kind: 'unknown' }
      }
    },
  }
}

export type IntrospectionOptions = Omit<JwtOptions, 'jwksUrl' | 'audience'> & {
  readonly introspectionUrl: string
  readonly clientId: string
  readonly clientSecret: () => string
}

/** Bearer tokens that only their issuer can read (RFC 7662): it is asked about each, and its answer holds for a minute. */
export function introspectedBearer(options: IntrospectionOptions): AccessScheme {
  const known = new Map<string, { readonly verdict: Verdict; readonly until: number }>()
  return {
    name: 'oauth',
    declaration: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
    challenge: 'Bearer realm="tenon"',
    async judge(request): Promise<Verdict> {
      const token = bearerToken(request)
      if (token === undefined) return { kind: 'unknown' }
      const now = Date.now()
      const before = known.get(token)
      if (before !== undefined && before.until > now) return before.verdict
      const verdict = await introspect(token, options)
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(token, { verdict, until: now + 60_000 })
      return verdict
    },
  }
}

const MOST_KNOWN = 10_000

async function introspect(token: string, options: IntrospectionOptions): Promise<Verdict> {
  const { clientId, clientSecret, introspectionUrl } = options
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret())}`).toString('base64')
  try {
    const response = await fetch(introspectionUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    const said = (await response.json()) as JWTPayload & { readonly active?: boolean }
    if (!response.ok || said.active !== true) return { kind: 'unknown' }
    if (said.iss !== undefined && said.iss !== options.issuer) return { kind: 'unknown' }
    return verdictOf(said, options)
  } catch {
    return { kind: 'unknown' }
  }
}

function verdictOf(claims: JWTPayload, options: Pick<JwtOptions, 'ownerClaim' | 'scope'>): Verdict {
  const owner = claims[options.ownerClaim ?? 'sub']
  if (typeof owner !== 'string' || owner === '') return { kind: 'unknown' }
  const scopes = typeof claims.scope === 'string' ? claims.scope.split(' ') : []
  if (options.scope !== undefined && !scopes.includes(options.scope)) return { kind: 'forbidden' }
  return { kind: 'caller', owner, ...(scopes.length === 0 ? {} : { scopes }) }
}

const trimmed = (url: string): string => url.replace(/\/+$/, '')
