import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type CredentialStore, memoryCredentials } from '../src/auth/credentials.js'
import { encryptedCredentials } from '../src/auth/encrypted-credentials.js'
import { enterpriseAssertion } from '../src/auth/enterprise-assertion.js'
import { loopbackDesk } from '../src/auth/loopback-desk.js'
import { oauthAuth } from '../src/auth/oauth-auth.js'
import type { AuthorizationDesk, OAuthOptions } from '../src/auth/oauth-options.js'
import { signInHere } from '../src/auth/sign-in-here.js'
import { connectUpstream } from '../src/supervisor/supervised-upstream.js'
import type { Upstream } from '../src/upstream/upstream.js'
import { startAuthorizationServer } from './authorization-server.js'
import { ProofChecker } from './proof-checker.js'

async function start() {
  const server = await startAuthorizationServer()
  onTestFinished(server.stop)
  return server
}

/** A browser whose user agrees to everything. */
const browse = (url: URL): void => void fetch(url)

async function desk(): Promise<AuthorizationDesk> {
  const opened = await loopbackDesk(browse)
  onTestFinished(opened.close)
  return opened
}

const optionsOf = (url: string, store: CredentialStore, more: Partial<OAuthOptions> = {}): OAuthOptions => ({
  name: 'cloud',
  url,
  principal: 'ann',
  store,
  clientName: 'test',
  hint: 'Sign in: test login cloud',
  ...more,
})

function upstreamOf(options: OAuthOptions): Upstream {
  const upstream = connectUpstream({
    name: 'cloud',
    target: { kind: 'http', url: options.url },
    clientInfo: { name: 'test', version: '1' },
    auth: oauthAuth(options),
  })
  onTestFinished(() => upstream.close())
  return upstream
}

const call = async (upstream: Upstream, name: string): Promise<string> => {
  const { content } = await upstream.request('tools/call', { name, arguments: {} })
  return (content as { text: string }[])[0]?.text ?? ''
}

test('nobody is there: no registration, no flow, and the error says what to do', async () => {
  const { url, seen } = await start()
  const upstream = upstreamOf(optionsOf(url, memoryCredentials()))
  await expect(upstream.open()).rejects.toMatchObject({
    code: 'mcp-auth-required',
    message: 'cloud wants somebody to sign in. Sign in: test login cloud',
  })
  expect(seen).toMatchObject({ registrations: 0, authorizations: [] })
})

test('a person signs in once; later processes use and refresh what was kept, and register nothing', async () => {
  const { url, seen, endTokens } = await start()
  const store = memoryCredentials()
  await signInHere(optionsOf(url, store), browse)
  expect(await call(upstreamOf(optionsOf(url, store)), 'read')).toContain('read')
  endTokens()
  expect(await call(upstreamOf(optionsOf(url, store)), 'read')).toContain('read')
  expect(seen).toMatchObject({ registrations: 1, grants: 1, refreshes: 1 })
})

test('many requests that find the token ended refresh it once', async () => {
  const { url, seen, endTokens } = await start()
  const store = memoryCredentials()
  await signInHere(optionsOf(url, store), browse)
  const upstream = upstreamOf(optionsOf(url, store))
  await upstream.open()
  endTokens()
  await Promise.all(Array.from({ length: 8 }, () => call(upstream, 'read')))
  expect(seen.refreshes).toBe(1)
})

test('a tool that needs more rights asks for them, beside those that were there', async () => {
  const { url, seen } = await start()
  const store = memoryCredentials()
  const upstream = upstreamOf(optionsOf(url, store, { desk: await desk() }))
  expect(await call(upstream, 'read')).toBe('read with read')
  expect(await call(upstream, 'write')).toBe('write with read write')
  expect(seen.authorizations).toEqual(['read', 'read write'])
})

test('a client that the server has forgotten is registered again', async () => {
  const { url, seen, endTokens, forgetClients } = await start()
  const store = memoryCredentials()
  const options = optionsOf(url, store, { desk: await desk() })
  const upstream = upstreamOf(options)
  await call(upstream, 'read')
  endTokens()
  forgetClients()
  expect(await call(upstream, 'read')).toBe('read with read')
  expect(seen.registrations).toBe(2)
})

test('an answer that names another issuer is refused', async () => {
  const { url, seen } = await start()
  seen.iss = 'https://evil.example'
  await expect(signInHere(optionsOf(url, memoryCredentials()), browse)).rejects.toMatchObject({
    code: 'mcp-auth-required',
  })
  expect(seen.grants).toBe(0)
})

test('an answer of another sign-in is refused', async () => {
  const { url, seen } = await start()
  const desk: AuthorizationDesk = {
    redirectUrl: 'http://127.0.0.1:1/callback',
    authorize: async () => ({ code: 'stolen', state: 'of somebody else' }),
  }
  const auth = oauthAuth(optionsOf(url, memoryCredentials(), { desk }))
  await expect(auth.signIn()).rejects.toThrow('another sign-in')
  expect(seen.grants).toBe(0)
})

test('one user is never let in with the tokens of another', async () => {
  const { url } = await start()
  const store = memoryCredentials()
  await signInHere(optionsOf(url, store), browse)
  const upstream = upstreamOf(optionsOf(url, store, { principal: 'ben' }))
  await expect(upstream.open()).rejects.toMatchObject({ code: 'mcp-auth-required' })
})

test('what is kept on disk is sealed: no token can be read, and what was changed is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-credentials-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const tokens = { access_token: 'at-secret', token_type: 'Bearer' }
  encryptedCredentials(folder).save('a', { tokens })
  expect(encryptedCredentials(folder).load('a')).toEqual({ tokens })
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.bin'))
  const bytes = readFileSync(join(folder, file))
  expect(bytes.includes('at-secret')).toBe(false)
  writeFileSync(join(folder, file), Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]))
  expect(() => encryptedCredentials(folder).load('a')).toThrow('Sign in again')
})

test('tokens that are bound to a key come with a proof for each request, after a restart and a refresh as well', async () => {
  const proofs = new ProofChecker()
  const { url, seen, endTokens, stop } = await startAuthorizationServer(proofs)
  onTestFinished(stop)
  const folder = mkdtempSync(join(tmpdir(), 'tenon-bound-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const stored = (): CredentialStore => encryptedCredentials(folder)
  await signInHere(optionsOf(url, stored(), { dpop: true }), browse)
  const first = upstreamOf(optionsOf(url, stored(), { dpop: true }))
  expect(await call(first, 'read')).toContain('read')
  // A nonce that the server has changed costs one more request, and no sign-in.
  proofs.nonce = 'second'
  expect(await call(first, 'read')).toContain('read')
  endTokens()
  expect(await call(upstreamOf(optionsOf(url, stored(), { dpop: true })), 'read')).toContain('read')
  expect([proofs.keys.size, seen.grants, seen.refreshes]).toEqual([1, 1, 1])
})

test('a workload is let in by what its platform says of it now, and by nothing older', async () => {
  const { url, seen, endTokens } = await start()
  let statement = 'signed at noon'
  const options = optionsOf(url, memoryCredentials(), { grant: 'assertion', assertion: () => statement })
  seen.statement = statement
  const upstream = upstreamOf(options)
  expect(await call(upstream, 'read')).toBe('read with read')
  seen.statement = 'signed at one'
  endTokens()
  await expect(call(upstream, 'read')).rejects.toMatchObject({ code: 'mcp-auth-required' })
  statement = 'signed at one'
  expect(await call(upstream, 'read')).toBe('read with read')
  expect(seen.authorizations).toEqual([])
})

test('a person of a company is let in by a grant of its identity provider, for this server only', async () => {
  const { url, seen } = await start()
  const tokenEndpoint = new URL('/token', url).href
  seen.idToken = 'ann of the company'
  seen.statement = 'ann may use this server'
  const optionsFor = (idToken: string, clientId: string): OAuthOptions =>
    optionsOf(url, memoryCredentials(), {
      grant: 'assertion',
      assertion: enterpriseAssertion({ tokenEndpoint, clientId, idToken: () => idToken }),
    })
  // Here the identity provider is the authorization server too; it knows its clients.
  const clientId = await registeredAt(url)
  expect(await call(upstreamOf(optionsFor('ann of the company', clientId)), 'read')).toBe('read with read')
  const stranger = upstreamOf(optionsFor('ann of another company', clientId))
  await expect(stranger.open()).rejects.toMatchObject({ code: 'mcp-auth-required' })
})

async function registeredAt(url: string): Promise<string> {
  const response = await fetch(new URL('/register', url), { method: 'POST', body: '{}' })
  return ((await response.json()) as { client_id: string }).client_id
}

test('a server that knows nothing of bound tokens is signed in to as before', async () => {
  const { url } = await start()
  const store = memoryCredentials()
  await signInHere(optionsOf(url, store, { dpop: true }), browse)
  expect(await call(upstreamOf(optionsOf(url, store, { dpop: true })), 'read')).toContain('read')
})
