import { isJsonObject, type Json } from '@tenon/kernel'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { A2AError } from '../errors.js'
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
  /** Stands before it, so that no owner of another scheme has this name. */
  readonly ownerPrefix?: string
  /** A scope without which a caller is known and may do nothing. */
  readonly scope?: string
  /** Told that the issuer is of no use: its callers are kept out and learn nothing of it. */
  readonly report?: (error: A2AError) => void
}

const ALGORITHMS = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA']

/** Bearer tokens that an issuer signed (RFC 9068, OpenID Connect). */
export function jwtBearer(options: JwtOptions): AccessScheme {
  const watch = issuerWatch(options)
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
        watch.answered()
        return verdictOf(payload, options)
      } catch (error) {
        if (isFaultOfToken(error)) watch.answered()
        else watch.failed(error)
        return { kind: 'unknown' }
      }
    },
  }
}

/** A token that is forged, for others, over, or signed with a key that its issuer does not have. */
const isFaultOfToken = (error: unknown): boolean =>
  error instanceof errors.JOSEError && /^ERR_(?:JWT|JWS|JWKS_NO|JWKS_MULTIPLE|JOSE_(?:ALG|NOT))/.test(error.code)

/** Tells that an issuer cannot be asked: once, however many callers are kept out, until it can be again. */
function issuerWatch({ issuer, report }: Pick<JwtOptions, 'issuer' | 'report'>) {
  let isTold = false
  return {
    answered(): void {
      isTold = false
    },
    failed(cause: unknown): void {
      const why = cause instanceof Error ? cause.message : String(cause)
      const message = `Tokens of ${issuer} are refused, as it cannot be asked: ${why}`
      if (!isTold) report?.(new A2AError('a2a-issuer-unusable', message, { cause }))
      isTold = true
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
  const watch = issuerWatch(options)
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
      try {
        const said = await introspect(token, options)
        watch.answered()
        const verdict = judged(said, options)
        if (known.size >= MOST_KNOWN) known.clear()
        const ends = typeof said.exp === 'number' ? said.exp * 1_000 : Number.POSITIVE_INFINITY
        known.set(token, { verdict, until: Math.min(now + 60_000, ends) })
        return verdict
      } catch (error) {
        // Not kept: the issuer has said nothing about this token.
        watch.failed(error)
        return { kind: 'unknown' }
      }
    },
  }
}

const MOST_KNOWN = 10_000

type Introspected = JWTPayload & { readonly active?: unknown }

/** @throws Error where the issuer cannot be asked */
async function introspect(token: string, options: IntrospectionOptions): Promise<Introspected> {
  const { clientId, clientSecret, introspectionUrl } = options
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret())}`).toString('base64')
  const response = await fetch(introspectionUrl, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`its introspection answers with HTTP ${response.status}`)
  const said: unknown = await response.json()
  return isJsonObject(said as Json) ? (said as Introspected) : {}
}

function judged(said: Introspected, options: IntrospectionOptions): Verdict {
  if (said.active !== true || (said.iss !== undefined && said.iss !== options.issuer)) return { kind: 'unknown' }
  return verdictOf(said, options)
}

function verdictOf(claims: JWTPayload, options: Pick<JwtOptions, 'ownerClaim' | 'ownerPrefix' | 'scope'>): Verdict {
  const named = claims[options.ownerClaim ?? 'sub']
  if (typeof named !== 'string' || named === '') return { kind: 'unknown' }
  const owner = `${options.ownerPrefix ?? ''}${named}`
  const scopes = typeof claims.scope === 'string' ? claims.scope.split(' ') : []
  if (options.scope !== undefined && !scopes.includes(options.scope)) return { kind: 'forbidden' }
  return { kind: 'caller', owner, ...(scopes.length === 0 ? {} : { scopes }) }
}

const trimmed = (url: string): string => url.replace(/\/+$/, '')
