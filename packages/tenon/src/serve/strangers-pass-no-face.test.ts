import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { principalOf } from '@tenon/a2a'
import { expect, onTestFinished, test } from 'vitest'
import type { ServeConfig } from '../config/config-table.js'
import { makeSecret } from '../config/secret.js'
import { type Gate, isTheirs, openGate } from './gate.js'
import { type HttpFace, openHttpSite } from './http-site.js'

type Tokens = NonNullable<NonNullable<ServeConfig['access']>['introspection']>

const keys = (tokens: Record<string, string>) =>
  Object.fromEntries(Object.entries(tokens).map(([owner, token]) => [owner, makeSecret([], () => token)]))

/** A site with one face that says who asks, for whoever may read runs. */
async function site(config: ServeConfig = {}) {
  const gate = openGate(config, '127.0.0.1')
  const { url, close } = await openHttpSite(
    { host: '127.0.0.1', port: 0 },
    gate,
    async () => [who(gate)],
    () => undefined,
  )
  onTestFinished(close)
  return (headers: Record<string, string>, path = '/who') => ask(url + path, headers)
}

const who = (gate: Gate): HttpFace => ({
  addresses: [],
  async serve(asked, response) {
    if (asked.url !== '/who') return false
    const caller = await gate.enter(asked, response, 'runs:read')
    if (caller !== undefined) response.end(JSON.stringify({ owner: caller.owner, scopes: [...caller.scopes] }))
    return true
  },
  close: async () => undefined,
})

async function ask(url: string, headers: Record<string, string>) {
  const sent = request(url, { headers }).end()
  const answer = await new Promise<import('node:http').IncomingMessage>((done) => sent.once('response', done))
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(await text(answer)) }
}

test.each(['evil.example', 'localhost.evil.example', 'localhost.', '127.0.0.1.nip.io:80', '10.0.0.1', 'a b'])(
  'a request for the host %s is refused, whatever its path',
  async (host) => {
    const call = await site()
    for (const path of ['/who', '/nothing'])
      expect(await call({ host }, path)).toMatchObject({ status: 403, body: { error: { code: 'host-refused' } } })
  },
)

test.each(['null', 'https://evil.example', 'http://localhost:1', 'http://127.0.0.1', 'chrome-extension://abc', ''])(
  'a page of %s may not ask',
  async (origin) => {
    const call = await site()
    expect(await call({ origin })).toMatchObject({ status: 403, body: { error: { code: 'origin-refused' } } })
  },
)

test('names of this machine, configured names and pages of this very server are let in, without CORS', async () => {
  const call = await site({ hosts: ['Box.lan'], url: 'https://tenon.example/x' })
  for (const host of ['localhost:9', '127.0.0.1', '[::1]:4100', 'box.lan:80', 'tenon.example'])
    expect(await call({ host }), host).toMatchObject({ status: 200 })
  expect(await call({ host: 'box.lan:81', origin: 'http://box.lan:81' })).toMatchObject({ status: 200 })
  const { status, headers } = await call({ origin: 'https://tenon.example' })
  expect(status).toBe(200)
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('an upgrade is no way around', async () => {
  const call = await site()
  const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
  expect(await call({ ...upgrade, origin: 'http://evil.example' })).toMatchObject({ status: 403 })
  expect(await call({ ...upgrade, host: 'evil.example' })).toMatchObject({ status: 403 })
})

test('an address that others reach is not listened on while anybody could call', () => {
  for (const address of ['0.0.0.0', '::', '192.168.0.7', 'tenon.example'])
    expect(() => openGate({}, address), address).toThrow('add serve.access')
  for (const address of ['127.0.0.1', '127.0.0.53', '::1', 'localhost']) openGate({}, address)
  openGate({ access: { bearer: keys({ alice: 'a' }) } }, '0.0.0.0')
})

test('a key opens what its scopes say: 401 without one, 403 with too little', async () => {
  const call = await site({
    access: {
      bearer: keys({ alice: 'a', bob: 'b', eve: 'e' }),
      scopes: [
        { owner: 'bob', may: ['mcp'] },
        { owner: 'eve', may: ['runs:read', 'runs:any'] },
      ],
    },
  })
  const as = (token: string) => call({ authorization: `Bearer ${token}` })
  expect(await call({})).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': expect.stringContaining('Bearer') },
    body: { error: { code: 'unauthenticated' } },
  })
  expect(await as('wrong')).toMatchObject({ status: 401 })
  expect(await as('b')).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  expect((await as('a')).body).toEqual({
    owner: 'alice',
    scopes: ['runs:read', 'runs:write', 'inbox:answer', 'mcp', 'a2a', 'models'],
  })
  expect((await as('e')).body).toEqual({ owner: 'eve', scopes: ['runs:read', 'runs:any'] })
  expect(JSON.stringify(await as('wrong'))).not.toContain('wrong')
})

test('the first entry that fits an owner counts', async () => {
  const call = await site({
    access: {
      bearer: keys({ alice: 'a', bob: 'b' }),
      scopes: [
        { owner: 'bo*', may: ['runs:read'] },
        { owner: '*', may: ['a2a'] },
      ],
    },
  })
  expect(await call({ authorization: 'Bearer a' })).toMatchObject({ status: 403 })
  expect(await call({ authorization: 'Bearer b' })).toMatchObject({ status: 200 })
})

/** An issuer of tokens that say who has them and what for: owner~scope~scope, with dots for colons. */
async function introspection(): Promise<Tokens> {
  const issuer = createServer(async (asked, response) => {
    const [sub, ...scopes] = (new URLSearchParams(await text(asked)).get('token') ?? '').replaceAll('.', ':').split('~')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ active: true, sub, scope: scopes.join(' ') }))
  }).listen(0, '127.0.0.1')
  await once(issuer, 'listening')
  onTestFinished(() => {
    issuer.closeAllConnections()
    issuer.close()
  })
  return {
    issuer: 'https://id.example',
    url: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/`,
    clientId: 'tenon',
    clientSecret: makeSecret([], () => 's'),
  }
}

test('a token of an issuer opens what it names, and never more than its owner may', async () => {
  const call = await site({
    access: { introspection: await introspection(), scopes: [{ owner: 'bob', may: ['a2a'] }] },
  })
  const as = (token: string) => call({ authorization: `Bearer ${token}` })
  expect((await as('alice~openid~profile')).body.scopes).toHaveLength(6)
  expect(await as('alice~mcp')).toMatchObject({ status: 403 })
  expect((await as('alice~openid~runs.read~runs.any')).body.scopes).toEqual(['runs:read'])
  expect(await as('bob~runs.read')).toMatchObject({ status: 403 })
})

// Whoever could have the name of a key at the issuer had its runs and its scopes.
test('a name that an issuer gives is not the owner of a key here, unless that is what is wanted', async () => {
  const tokens = await introspection()
  const access = { bearer: keys({ ops: 'o' }), scopes: [{ owner: 'ops', may: ['runs:read', 'runs:any'] as const }] }
  const owners = async (ownerPrefix: string) => {
    const call = await site({ access: { ...access, introspection: { ...tokens, ownerPrefix } } })
    const bodies = ['o', 'ops'].map(async (token) => (await call({ authorization: `Bearer ${token}` })).body)
    return Promise.all(bodies)
  }
  const scopes = ['runs:read', 'runs:any']
  expect(await owners('id:')).toEqual([
    { owner: 'ops', scopes },
    { owner: 'id:ops', scopes: expect.not.arrayContaining(['runs:any']) },
  ])
  expect(await owners('')).toEqual([
    { owner: 'ops', scopes },
    { owner: 'ops', scopes },
  ])
})

test('schemes whose owners could be taken for each other are not served before it is said how to tell them apart', () => {
  const bearer = keys({ ops: 'o' })
  const jwt = { issuer: 'https://id.example', audience: 'tenon' }
  const sameIssuer = {
    issuer: jwt.issuer,
    url: `${jwt.issuer}/i`,
    clientId: 'c',
    clientSecret: makeSecret([], () => 's'),
  }
  const mtls = { header: 'x-subject', proxies: ['10.0.0.7'] }
  const open = (access: NonNullable<ServeConfig['access']>) => () => openGate({ access }, '127.0.0.1')
  expect(open({ bearer, jwt })).toThrow('Set serve.access.jwt.ownerPrefix')
  expect(open({ apiKeys: bearer, mtls })).toThrow('Set serve.access.mtls.ownerPrefix')
  expect(open({ jwt: { ...jwt, ownerPrefix: 'id:' }, mtls })).toThrow('Set serve.access.mtls.ownerPrefix')
  expect(open({ jwt, introspection: { ...sameIssuer, issuer: 'https://other.example' } })).toThrow('ownerPrefix')
  for (const one of [
    { bearer, apiKeys: bearer },
    { jwt },
    { jwt, introspection: sameIssuer },
    { bearer, jwt: { ...jwt, ownerPrefix: '' } },
    { bearer, jwt: { ...jwt, ownerPrefix: 'id:' }, mtls: { ...mtls, ownerPrefix: 'cert:' } },
  ])
    open(one)()
})

test('a run is its owner’s; of this machine’s user, where nobody is asked, all are', () => {
  const alice = { owner: 'alice', authenticated: true, scopes: new Set(['runs:read'] as const) }
  expect(isTheirs(alice, { principal: principalOf(alice) })).toBe(true)
  expect(isTheirs(alice, { principal: principalOf({ owner: 'bob', authenticated: true }) })).toBe(false)
  expect(isTheirs(alice, { principal: undefined })).toBe(false)
  expect(isTheirs({ ...alice, scopes: new Set(['runs:any'] as const) }, { principal: undefined })).toBe(true)
})
