import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Json, JsonObject } from '@tenon/kernel'
import { canonicalCards } from '../card-client/canonical-card.js'
import { A2AError } from '../errors.js'

/** Signs Agent Cards with ES256 (RFC 7515 over the card's canonical form). */
export class CardSigner {
  readonly #key: KeyObject

  /** @throws A2AError `a2a-key-unusable` unless `key` is a private key on P-256 as a JWK */
  constructor(
    key: JsonObject,
    readonly keyId: string,
    /** Where the public key can be fetched from. */
    readonly keySetUrl?: string,
  ) {
    try {
      this.#key = createPrivateKey({ key: { ...key } as Record<string, unknown>, format: 'jwk' })
    } catch (cause) {
      throw new A2AError('a2a-key-unusable', 'The key that signs cards is no private JWK.', { cause })
    }
    if (this.#key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
      throw new A2AError('a2a-key-unusable', 'The key that signs cards must be on the curve P-256.')
  }

  /** A new private key as a JWK. */
  static newKey(): JsonObject {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return privateKey.export({ format: 'jwk' }) as JsonObject
  }

  /** The card with our signatures: of each canonical form that verifiers are known to check against. */
  sign(card: JsonObject): JsonObject {
    const head = encoded(JSON.stringify(this.#header()))
    const own = [...new Set(canonicalCards(card))].map((form) => this.#signature(head, form))
    const others = Array.isArray(card.signatures) ? (card.signatures as readonly Json[]) : []
    return { ...card, signatures: [...others, ...own] }
  }

  /** A signature over a body that goes elsewhere: JWS with the payload left out (RFC 7515, appendix F). */
  detached(body: string, at: number): string {
    const header = { ...this.#header(), iat: Math.floor(at / 1_000) }
    const { protected: head, signature } = this.#signature(encoded(JSON.stringify(header)), body)
    return `${head}..${signature}`
  }

  #header(): JsonObject {
    return { alg: 'ES256', typ: 'JOSE', kid: this.keyId, ...(this.keySetUrl ? { jku: this.keySetUrl } : {}) }
  }

  #signature(head: string, payload: string): { readonly protected: string; readonly signature: string } {
    const input = Buffer.from(`${head}.${encoded(payload)}`)
    const signature = sign('sha256', input, { key: this.#key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
    return { protected: head, signature }
  }

  /** The public key, as a JWK set. */
  keySet(): JsonObject {
    const jwk = createPublicKey(this.#key).export({ format: 'jwk' }) as JsonObject
    return { keys: [{ ...jwk, kid: this.keyId, alg: 'ES256', use: 'sig' }] }
  }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url')
