import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JsonObject, systemClock } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { Door } from '../net/door.js'
import { PEER_LIMITS } from '../peer/peer-limits.js'
import { canonicalCards } from './canonical-card.js'
import { CardClient, type CardSource } from './card-client.js'
import { type TrustedKey, verifyCard } from './verify-card.js'

const CARD: JsonObject = {
  name: 'signer',
  description: '',
  version: '1',
  supportedInterfaces: [{ url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: false },
  defaultInputModes: [],
  defaultOutputModes: ['text/plain'],
  skills: [],
}

const ES256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ED = generateKeyPairSync('ed25519')
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })

const jwk = (key: KeyObject, kid: string): TrustedKey => ({ ...key.export({ format: 'jwk' }), kid })

/** Signs one of the two forms in which cards are signed. */
function signed(alg: string, key: KeyObject, head: JsonObject = {}, form = 0, card = CARD): JsonObject {
  const header = Buffer.from(JSON.stringify({ alg, typ: 'JOSE', kid: 'k1', ...head })).toString('base64url')
  const payload = Buffer.from(canonicalCards(card)[form] ?? '').toString('base64url')
  const data = Buffer.from(`${header}.${payload}`)
  const made = { EdDSA: null, ES256: 'sha256', RS256: 'sha256', PS256: 'sha256' }[alg] ?? null
  const options = alg === 'PS256' ? { padding: 6, saltLength: 32 } : { dsaEncoding: 'ieee-p1363' as const }
  const signature = sign(made, data, { key, ...options }).toString('base64url')
  return { ...card, signatures: [{ protected: header, signature }] }
}

test.each([
  ['ES256', ES256],
  ['EdDSA', ED],
  ['RS256', RSA],
  ['PS256', RSA],
])('a card signed with %s verifies in both forms, and not after a change', (alg, { privateKey, publicKey }) => {
  const keys = [jwk(publicKey, 'k1')]
  for (const form of [0, 1]) {
    const card = signed(alg, privateKey, {}, form)
    expect(verifyCard(card, keys)).toEqual({ kind: 'verified', kid: 'k1' })
    expect(verifyCard({ ...card, name: 'impostor' }, keys)).toEqual({ kind: 'wrong', kid: 'k1' })
  }
})

test('a key is not taken for one of another kind', () => {
  const secret = String(ES256.publicKey.export({ format: 'pem', type: 'spki' }))
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'k1' })).toString('base64url')
  const payload = Buffer.from(canonicalCards(CARD)[0] ?? '').toString('base64url')
  const signature = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')
  const keys = [jwk(ES256.publicKey, 'k1')]
  expect(verifyCard({ ...CARD, signatures: [{ protected: header, signature }] }, keys).kind).toBe('wrong')
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid: 'k1' })).toString('base64url')
  expect(verifyCard({ ...CARD, signatures: [{ protected: none, signature: '' }] }, keys).kind).toBe('wrong')
})

test('a signature by a key that nobody trusts says nothing', () => {
  const card = signed('ES256', ES256.privateKey)
  expect(verifyCard(card, [jwk(ED.publicKey, 'other')])).toEqual({ kind: 'unknown-key', kids: ['k1'] })
  expect(verifyCard({ ...card, signatures: 'none' }, [])).toEqual({ kind: 'unsigned' })
})

/** A server of one card and of a JWK set; `asked` are the paths that were asked for. */
async function server(card: (origin: string) => JsonObject, keys: readonly TrustedKey[], headers: object = {}) {
  const asked: string[] = []
  const http = createServer((request, response) => {
    asked.push(`${request.url}${request.headers['if-none-match'] === undefined ? '' : ' again'}`)
    if (request.url === '/jwks.json') response.end(JSON.stringify({ keys }))
    else if (request.headers['if-none-match'] === '"1"') response.writeHead(304, { ...headers }).end()
    else response.writeHead(200, { etag: '"1"', ...headers }).end(JSON.stringify(card(origin)))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const clients: Door[] = []
  onTestFinished(async () => {
    for (const door of clients) await door.close()
    http.close()
  })
  const client = (more: Partial<CardSource> = {}): CardClient => {
    const door = new Door('signer', [new URL(origin).host], systemClock)
    clients.push(door)
    const source = { peer: 'signer', url: `${origin}/card.json`, keys: [], mustBeSigned: false, ...more }
    return new CardClient(source, door, systemClock, PEER_LIMITS)
  }
  return { asked, client }
}

const { signal } = new AbortController()

test('a card is held to the keys that its own server publishes, and that is no trust', async () => {
  const keys = [jwk(ES256.publicKey, 'k1')]
  const { client } = await server((origin) => signed('ES256', ES256.privateKey, { jku: `${origin}/jwks.json` }), keys)
  expect((await client().card(signal)).verdict).toMatchObject({ kind: 'published', kid: 'k1' })
  await expect(client({ mustBeSigned: true }).card(signal)).rejects.toMatchObject({ code: 'peer-card-untrusted' })
})

test('keys of another origin are not even fetched', async () => {
  const { client, asked } = await server(
    () => signed('ES256', ES256.privateKey, { jku: 'http://169.254.169.254/jwks.json' }),
    [],
  )
  expect((await client().card(signal)).verdict.kind).toBe('unknown-key')
  expect(asked).toEqual(['/card.json'])
})

test('a card that was changed after it was signed is refused, trusted or not', async () => {
  const { client } = await server(
    (origin) => ({ ...signed('ES256', ES256.privateKey, { jku: `${origin}/jwks.json` }), name: 'impostor' }),
    [jwk(ES256.publicKey, 'k1')],
  )
  await expect(client().card(signal)).rejects.toMatchObject({ code: 'peer-card-untrusted' })
})

test.each([
  ['max-age=60', ['/card.json']],
  ['no-cache', ['/card.json', '/card.json again']],
  ['max-age=0', ['/card.json', '/card.json again']],
])('with Cache-Control %s a second look asks for %j', async (control, wanted) => {
  const { client, asked } = await server(() => CARD, [], { 'cache-control': control })
  const cards = client()
  await cards.card(signal)
  expect((await cards.card(signal)).card.name).toBe('signer')
  expect(asked).toEqual(wanted)
})
