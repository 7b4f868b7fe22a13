import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { legacy, replyTo, said, send, served, serviceOf } from './served.js'

const echo = serviceOf(async ({ caller, params }) => said(`${caller.principal} ${String(params.name)}`))
const bearer = { authenticate: (token: string) => ({ principal: token }) }
const as = (user: string) => ({ authorization: `Bearer ${user}` })

/** The stream of HTTP+SSE, and the address that it names. */
async function stream(url: string, user: string): Promise<{ address: string; response: IncomingMessage }> {
  const response = await send(url.replace('/mcp', '/sse'), { method: 'GET', headers: as(user) })
  response.setEncoding('utf8')
  const [text] = await once(response, 'data')
  const [, named = ''] = /^event: endpoint\ndata: (.+)\n\n$/.exec(String(text)) ?? []
  return { address: new URL(named, url).href, response }
}

const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } }

test('what it says goes to the address that its stream names, and the answers come on the stream', async () => {
  const url = await served(echo, { sse: true, bearer })
  const { address, response } = await stream(url, 'ann')
  const answered = once(response, 'data')
  expect(await replyTo(address, legacy('initialize', params, as('ann')))).toMatchObject({ status: 202 })
  expect(String(await answered)).toContain('"protocolVersion":"2024-11-05"')
  const called = once(response, 'data')
  await replyTo(address, legacy('tools/call', { name: 'who' }, as('ann'), 2))
  expect(String(await called)).toContain('ann who')
  response.destroy()
})

test('nobody speaks into the session of somebody else, or into one that has ended', async () => {
  const url = await served(echo, { sse: true, bearer })
  const { address, response } = await stream(url, 'ann')
  expect((await replyTo(address, legacy('ping', {}, as('ben')))).status).toBe(404)
  expect((await replyTo(address, legacy('ping', {}, as('ann')))).status).toBe(202)
  response.destroy()
  await expect.poll(async () => (await replyTo(address, legacy('ping', {}, as('ann')))).status).toBe(404)
})

test('strangers and what is no message are refused as on the new endpoint', async () => {
  const url = await served(echo, { sse: true, bearer, limits: { maxSessions: 1 } })
  const sse = url.replace('/mcp', '/sse')
  expect((await replyTo(sse, { method: 'GET' })).status).toBe(401)
  expect((await replyTo(sse, { method: 'GET', headers: { ...as('ann'), host: 'evil.example' } })).status).toBe(403)
  expect((await replyTo(sse, { method: 'POST', headers: as('ann'), body: '{}' })).status).toBe(405)
  const { address, response } = await stream(url, 'ann')
  expect((await replyTo(sse, { method: 'GET', headers: as('ann') })).status).toBe(503)
  expect((await replyTo(address, { headers: as('ann'), body: '[]' })).status).toBe(400)
  expect((await replyTo(address, { headers: as('ann'), body: '{' })).status).toBe(400)
  response.destroy()
})

test('without the switch there is no such transport', async () => {
  const url = await served(echo)
  expect((await replyTo(url.replace('/mcp', '/sse'), { method: 'GET' })).status).toBe(404)
})
