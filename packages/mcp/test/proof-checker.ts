import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

type Claims = {
  readonly htm?: string
  readonly htu?: string
  readonly jti?: string
  readonly ath?: string
  readonly nonce?: string
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')
const json = <T>(part: string): T => JSON.parse(Buffer.from(part, 'base64url').toString()) as T

/** Holds requests to RFC 9449, as servers do: each proof is for one request, good once, and of the key of its token. */
export class ProofChecker {
  /** What the next proof for a resource has to repeat; changed, the last one is refused. */
  nonce = 'first'
  readonly keys = new Set<string>()
  readonly #used = new Set<string>()
  readonly #bound = new Map<string, string>()

  bind(token: string, key: string | undefined): void {
    if (key !== undefined) this.#bound.set(token, key)
  }

  isBound(token: string | null, key: string | undefined): boolean {
    return token !== null && key !== undefined && this.#bound.get(token) === key
  }

  /** The key of a proof that is right for this address; undefined for every other one. */
  keyOf(request: IncomingMessage, address: string): string | undefined {
    const proof = this.#read(request, address)
    return typeof proof === 'string' ? undefined : proof.key
  }

  /** What is wrong with the proof of a request, as the code that it is answered with. */
  fault(request: IncomingMessage, address: string, token: string): string | undefined {
    const proof = this.#read(request, address)
    if (typeof proof === 'string') return proof
    if (proof.claims.nonce !== this.nonce) return 'use_dpop_nonce'
    if (proof.claims.ath !== hash(token) || this.#bound.get(token) !== proof.key) return 'invalid_dpop_proof'
    return undefined
  }

  #read(request: IncomingMessage, address: string): { readonly claims: Claims; readonly key: string } | string {
    const [head = '', body = '', signature = ''] = String(request.headers.dpop ?? '').split('.')
    if (signature === '') return 'invalid_dpop_proof'
    const { jwk, typ, alg } = json<{ jwk: JsonWebKey; typ: string; alg: string }>(head)
    const claims = json<Claims>(body)
    const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
    const right =
      verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')) &&
      [typ, alg, claims.htm, claims.htu].join() === ['dpop+jwt', 'ES256', request.method, address].join() &&
      jwk.d === undefined &&
      claims.jti !== undefined &&
      !this.#used.has(claims.jti)
    if (!right) return 'invalid_dpop_proof'
    this.#used.add(claims.jti ?? '')
    const { crv, kty, x, y } = jwk
    const thumbprint = hash(JSON.stringify({ crv, kty, x, y }))
    this.keys.add(thumbprint)
    return { claims, key: thumbprint }
  }
}
