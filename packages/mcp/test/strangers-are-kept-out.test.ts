import { expect, test } from 'vitest'
import { legacy, legacySession, modern, replyTo, said, served, serviceOf } from './served.js'

const echo = serviceOf(async ({ caller }) => said(caller.principal))
const call = (headers: Record<string, string> = {}) => modern('tools/call', { name: 'who' }, headers)

test('a page that rebinds a name to this machine is refused by its Host', async () => {
  const url = await served(echo)
  expect((await replyTo(url, call({ host: 'evil.example' }))).status).toBe(403)
  expect((await replyTo(url, call({ host: 'localhost:1234' }))).status).toBe(200)
})

test('a page of another origin is refused, one of this machine is answered', async () => {
  const url = await served(echo)
  expect((await replyTo(url, call({ origin: 'https://evil.example' }))).status).toBe(403)
  expect((await replyTo(url, call({ origin: 'null' }))).status).toBe(403)
  const { status, headers } = await replyTo(url, call({ origin: 'http://localhost:5173' }))
  expect(status).toBe(200)
  expect(headers['access-control-allow-origin']).toBe('http://localhost:5173')
})

const metadata = { resource: 'https://tools.example/mcp', authorization_servers: ['https://login.example'] }
const bearer = {
  metadata,
  scopes: ['use'],
  authenticate: (token: string) =>
    ({
      ann: { principal: 'ann', scopes: ['use'] },
      ben: { principal: 'ben', scopes: ['use'] },
      cat: { principal: 'cat' },
    })[token],
}
const as = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

test('who has no token is told where to get one', async () => {
  const url = await served(echo, { bearer })
  const { status, headers } = await replyTo(url, call())
  expect(status).toBe(401)
  expect(headers['www-authenticate']).toContain(
    'resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"',
  )
  const found = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url))
  expect(await found.json()).toEqual(metadata)
})

test('a wrong token is 401, too few rights are 403 by name, a right token says who asks', async () => {
  const url = await served(echo, { bearer })
  expect((await replyTo(url, call(as('nobody')))).headers['www-authenticate']).toContain('invalid_token')
  const few = await replyTo(url, call(as('cat')))
  expect(few.status).toBe(403)
  expect(few.headers['www-authenticate']).toContain('error="insufficient_scope"')
  expect((await replyTo(url, call(as('ann')))).result).toMatchObject(said('ann'))
})

test('a session of one user is nothing to another one', async () => {
  const url = await served(echo, { bearer })
  const session = await legacySession(url, {}, as('ann'))
  expect((await replyTo(url, legacy('tools/call', { name: 'who' }, session))).result).toMatchObject(said('ann'))
  const stolen = await replyTo(url, legacy('tools/call', { name: 'who' }, { ...session, ...as('ben') }))
  expect(stolen).toMatchObject({ status: 404, error: { code: -32001 } })
})
