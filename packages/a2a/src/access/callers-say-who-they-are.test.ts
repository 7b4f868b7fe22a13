import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { Access, type AccessScheme } from './access.js'
import { apiKeys, mutualTls, staticBearer } from './static-schemes.js'
import { introspectedBearer, jwtBearer } from './token-schemes.js'

/** What a scheme looks at of a request. */
function request(headers: Record<string, string>, from = '127.0.0.1'): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: from })
  return { headers, socket } as unknown as IncomingMessage
}

const bearer = (token: string): IncomingMessage => request({ authorization: `Bearer ${token}` })

/** Answers with JSON, by path. */
async function issuer(answer: (path: string, body: string, origin: string) => object | number): Promise<string> {
  const server = createServer(async (asked, response) => {
    let body = ''
    for await (const chunk of asked) body += chunk
    const answered = answer(asked.url ?? '', body, origin)
    response.writeHead(typeof answered === 'number' ? answered : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answered))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return origin
}

test('a token of the table names its owner; a wrong one, none, or another scheme does not', async () => {
  const scheme = staticBearer([{ token: 'right', owner: 'alice' }])
  expect(await scheme.judge(bearer('right'))).toEqual({ kind: 'caller', owner: 'alice' })
  for (const wrong of [bearer('wrong'), request({}), request({ authorization: 'Basic cmlnaHQ=' })])
    expect(await scheme.judge(wrong)).toEqual({ kind: 'unknown' })
})

test('one scheme of several is enough, and a known caller without rights is told so', async () => {
  const access = new Access([
    staticBearer([{ token: 't', owner: 'alice', allowed: false }]),
    apiKeys([{ token: 'k', owner: 'bob' }]),
  ])
  expect(await access.authenticate(request({ 'x-api-key': 'k' }))).toEqual({ owner: 'bob', authenticated: true })
  await expect(access.authenticate(bearer('t'))).rejects.toMatchObject({ code: 'a2a-forbidden' })
  await expect(access.authenticate(request({}))).rejects.toMatchObject({ code: 'a2a-unauthenticated' })
  expect(access.challenge).toMatch(/Bearer.*ApiKey/)
  const nobody = new Access(access.schemes, () => false)
  await expect(nobody.authenticate(request({ 'x-api-key': 'k' }))).rejects.toMatchObject({ code: 'a2a-forbidden' })
})

test('the header of a checked certificate is believed from the proxy alone', async () => {
  const scheme = mutualTls('x-client-subject', ['10.0.0.7'])
  expect(await scheme.judge(request({ 'x-client-subject': 'CN=a' }, '::ffff:10.0.0.7'))).toMatchObject({
    owner: 'CN=a',
  })
  expect(await scheme.judge(request({ 'x-client-subject': 'CN=a' }, '10.0.0.8'))).toEqual({ kind: 'unknown' })
  const apart = mutualTls('x-client-subject', ['10.0.0.7'], 'cert:')
  expect(await apart.judge(request({ 'x-client-subject': 'CN=a' }, '10.0.0.7'))).toMatchObject({ owner: 'cert:CN=a' })
})

test('a signed token counts for its issuer, its audience and its time, with keys found by discovery', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const other = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }
  const origin = await issuer((path, _, own) =>
    path.startsWith('/.well-known') ? { issuer: own, jwks_uri: `${own}/keys` } : { keys: [jwk] },
  )
  const scheme = jwtBearer({ issuer: origin, audience: 'tenon', scope: 'tasks' })
  const token = (claims: object, key = privateKey, until = '5m', audience = 'tenon') =>
    new SignJWT({ scope: 'tasks', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer(origin)
      .setAudience(audience)
      .setSubject('alice')
      .setExpirationTime(until)
      .sign(key)
  expect(await scheme.judge(bearer(await token({})))).toEqual({ kind: 'caller', owner: 'alice', scopes: ['tasks'] })
  expect(await scheme.judge(bearer(await token({ scope: 'other' })))).toEqual({ kind: 'forbidden' })
  for (const wrong of [
    await token({}, other.privateKey),
    await token({}, privateKey, '-5m'),
    await token({}, privateKey, '5m', 'somebody else'),
  ])
    expect(await scheme.judge(bearer(wrong))).toEqual({ kind: 'unknown' })
})

test('an opaque token counts as its issuer says', async () => {
  const origin = await issuer((_, body) =>
    body.includes('token=good') ? { active: true, sub: 'carol' } : { active: false },
  )
  const scheme: AccessScheme = introspectedBearer({
    issuer: origin,
    introspectionUrl: `${origin}/introspect`,
    clientId: 'tenon',
    clientSecret: () => 'secret',
  })
  expect(await scheme.judge(bearer('good'))).toEqual({ kind: 'caller', owner: 'carol' })
  expect(await scheme.judge(bearer('revoked'))).toEqual({ kind: 'unknown' })
})

test('an issuer that cannot be asked is told to whoever runs the server, and refuses no token for longer than that', async () => {
  let isUp = false
  const origin = await issuer(() => (isUp ? { active: true, sub: 'carol' } : 503))
  const told: string[] = []
  const report = ({ message }: { message: string }): void => void told.push(message)
  const common = { issuer: origin, audience: 'tenon', report }
  const scheme = introspectedBearer({
    ...common,
    introspectionUrl: `${origin}/introspect`,
    clientId: 'tenon',
    clientSecret: () => 'secret',
  })
  for (const token of ['good', 'other']) expect(await scheme.judge(bearer(token))).toEqual({ kind: 'unknown' })
  expect(told).toEqual([expect.stringMatching(/503/)])
  isUp = true
  expect(await scheme.judge(bearer('good'))).toEqual({ kind: 'caller', owner: 'carol' })
  expect(told).toHaveLength(1)

  const discovered = jwtBearer(common)
  expect(await discovered.judge(bearer('a.b.c'))).toEqual({ kind: 'unknown' })
  expect(told[1]).toContain('does not say where its keys are')
})

test('a token that its issuer says is over in a second does not count for a minute', async () => {
  const exp = Date.now() / 1_000
  let isActive = true
  const origin = await issuer(() => ({ active: isActive, sub: 'carol', exp }))
  const scheme = introspectedBearer({
    issuer: origin,
    introspectionUrl: `${origin}/introspect`,
    clientId: 'tenon',
    clientSecret: () => 'secret',
  })
  expect(await scheme.judge(bearer('short'))).toMatchObject({ kind: 'caller' })
  isActive = false
  expect(await scheme.judge(bearer('short'))).toEqual({ kind: 'unknown' })
})
