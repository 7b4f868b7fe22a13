import type { webcrypto } from 'node:crypto'
import type { DpopSession, generateDpopKeyPair } from '@modelcontextprotocol/client'
import type { CredentialStore } from './credentials.js'

type PrivateJwk = webcrypto.JsonWebKey & { readonly d?: string }

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

/**
 * The key that tokens of one user are bound to (RFC 9449), made at the first use and kept with the tokens: a refresh
 * token is worth nothing without it.
 */
export async function boundKey(store: CredentialStore, key: string): Promise<DpopSession> {
  const { DpopSession, generateDpopKeyPair } = await import('../official-client.js')
  const kept = store.load(key)?.boundKey
  if (kept !== undefined) return DpopSession.create({ keyPair: await imported(kept) })
  const keyPair = await generateDpopKeyPair({ extractable: true })
  const made = (await crypto.subtle.exportKey('jwk', keyPair.privateKey)) as PrivateJwk
  store.save(key, { ...store.load(key), boundKey: made })
  return DpopSession.create({ keyPair })
}

async function imported(jwk: PrivateJwk): Promise<Awaited<ReturnType<typeof generateDpopKeyPair>>> {
  const { d: _, key_ops: __, ...publicJwk } = jwk
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey('jwk', jwk, ALGORITHM, false, ['sign']),
    crypto.subtle.importKey('jwk', publicJwk, ALGORITHM, true, ['verify']),
  ])
  const { kty = '', crv = '', x = '', y = '' } = publicJwk
  // The members of an EC key in the order of RFC 7638.
  const named = new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }))
  const thumbprint = Buffer.from(await crypto.subtle.digest('SHA-256', named)).toString('base64url')
  return { privateKey, publicKey, publicJwk: { kty, crv, x, y }, thumbprint, alg: 'ES256' }
}
