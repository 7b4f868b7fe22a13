import { createPublicKey, type JsonWebKey, type VerifyKeyObjectInput, verify } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { canonicalCards } from './canonical-card.js'

/** A public key that the user trusts, with its `kid`. */
export type TrustedKey = JsonWebKey & { readonly kid?: string; readonly alg?: string }

/**
 * `verified` by a key that was given; `published`: by one that the card's own server publishes, so that nobody changed it
 * on the way, and no more; `wrong`: one of them was used and does not fit the card as it is; `unknown-key`:
 * signed by keys that nobody gave; `unsigned`.
 */
export type CardVerdict =
  | { readonly kind: 'verified'; readonly kid: string }
  | { readonly kind: 'published'; readonly kid: string; readonly jku: string }
  | { readonly kind: 'wrong'; readonly kid: string }
  | { readonly kind: 'unknown-key'; readonly kids: readonly string[]; readonly jku?: string }
  | { readonly kind: 'unsigned' }

type Algorithm = { readonly hash: string | null; readonly key: Omit<VerifyKeyObjectInput, 'key'> }

const PLAIN = {}
const DSA = { dsaEncoding: 'ieee-p1363' } as const
/** RSA-PSS as RFC 7518 3.5 wants it: padding 6, salt as long as the hash. */
const pss = (saltLength: number): Algorithm['key'] => ({ padding: 6, saltLength })

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  ES256: { hash: 'sha256', key: DSA },
  ES384: { hash: 'sha384', key: DSA },
  ES512: { hash: 'sha512', key: DSA },
  RS256: { hash: 'sha256', key: PLAIN },
  RS384: { hash: 'sha384', key: PLAIN },
  RS512: { hash: 'sha512', key: PLAIN },
  PS256: { hash: 'sha256', key: pss(32) },
  PS384: { hash: 'sha384', key: pss(48) },
  PS512: { hash: 'sha512', key: pss(64) },
  EdDSA: { hash: null, key: PLAIN },
}

type Signature = {
  readonly head: string
  readonly signature: string
  readonly kid: string
  readonly alg: string
  readonly jku?: string
}

/** Holds a card's signatures (JWS over JCS, spec 8.4) to the keys that are trusted. */
export function verifyCard(card: JsonObject, keys: readonly TrustedKey[]): CardVerdict {
  const found = signaturesOf(card.signatures)
  if (found.length === 0) return { kind: 'unsigned' }
  const payloads = canonicalCards(card).map((text) => Buffer.from(text).toString('base64url'))
  let wrong: string | undefined
  for (const signature of found) {
    const key = keys.find(({ kid, alg }) => kid === signature.kid && (alg === undefined || alg === signature.alg))
    if (key === undefined) continue
    if (payloads.some((payload) => fits(signature, payload, key))) return { kind: 'verified', kid: signature.kid }
    wrong ??= signature.kid
  }
  if (wrong !== undefined) return { kind: 'wrong', kid: wrong }
  const jku = found.find((one) => one.jku !== undefined)?.jku
  return {
    kind: 'unknown-key',
    kids: [...new Set(found.map(({ kid }) => kid))],
    ...(jku === undefined ? {} : { jku }),
  }
}

function signaturesOf(json: Json | undefined): readonly Signature[] {
  if (!Array.isArray(json)) return []
  return (json as readonly Json[]).flatMap((one) => {
    if (!isJsonObject(one) || typeof one.protected !== 'string' || typeof one.signature !== 'string') return []
    const { kid, alg, jku } = readHead(one.protected)
    return {
      head: one.protected,
      signature: one.signature,
      kid: typeof kid === 'string' ? kid.slice(0, 200) : '',
      alg: typeof alg === 'string' ? alg : '',
      ...(typeof jku === 'string' ? { jku } : {}),
    }
  })
}

function readHead(written: string): JsonObject {
  try {
    const json = JSON.parse(Buffer.from(written, 'base64url').toString('utf8')) as Json
    return isJsonObject(json) ? json : {}
  } catch {
    return {}
  }
}

function fits({ head, signature, alg, kid }: Signature, payload: string, jwk: TrustedKey): boolean {
  const algorithm = Object.hasOwn(ALGORITHMS, alg) ? ALGORITHMS[alg] : undefined
  if (algorithm === undefined || kid === '') return false
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    // The kind of key decides as well: an HMAC or an RSA key is never taken for another algorithm.
    if (!matchesKind(alg, key.asymmetricKeyType)) return false
    const signed = Buffer.from(`${head}.${payload}`)
    return verify(algorithm.hash, signed, { ...algorithm.key, key }, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

function matchesKind(alg: string, kind: string | undefined): boolean {
  if (alg.startsWith('ES')) return kind === 'ec'
  if (alg === 'EdDSA') return kind === 'ed25519' || kind === 'ed448'
  return kind === 'rsa' || kind === 'rsa-pss'
}
