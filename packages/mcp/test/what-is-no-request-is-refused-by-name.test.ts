import { expect, test } from 'vitest'
import { legacy, legacySession, modern, replyTo, said, served, serviceOf } from './served.js'

const echo = serviceOf(async () => said('ok'))

test('too large a body is refused before it is read', async () => {
  const url = await served(echo, { limits: { maxMessageBytes: 1000 } })
  expect((await replyTo(url, { body: 'x'.repeat(2000) })).status).toBe(413)
})

test.each([
  ['no JSON', '{', 400, -32700],
  ['no message', '[1]', 400, -32600],
  ['an empty array', '[]', 400, -32600],
  ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600],
  ['a request without a session', '{"jsonrpc":"2.0","id":1,"method":"ping"}', 400, -32000],
])('%s', async (_, body, status, code) => {
  expect(await replyTo(await served(echo), { body })).toMatchObject({ status, error: { code } })
})

test('a body of another type is refused', async () => {
  expect((await replyTo(await served(echo), { headers: { 'content-type': 'text/plain' }, body: '{}' })).status).toBe(
    415,
  )
})

test('a version that is not spoken is named with those that are', async () => {
  const url = await served(echo)
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' }
  const future = modern('tools/list', { _meta }, { 'mcp-protocol-version': '2030-01-01' })
  expect(await replyTo(url, future)).toMatchObject({
    status: 400,
    error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2030-01-01' } },
  })
})

test.each([
  ['mcp-method', 'tools/list'],
  ['mcp-name', 'another'],
  ['mcp-name', '=?base64?!!?='],
  ['mcp-protocol-version', '2025-11-25'],
])('a header %s that says %s while the body says otherwise', async (header, value) => {
  const sent = modern('tools/call', { name: 'this' }, { [header]: value })
  expect(await replyTo(await served(echo), sent)).toMatchObject({ status: 400, error: { code: -32020 } })
})

test('a name that no header can carry is told in Base64', async () => {
  const name = '天気 '
  const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`
  const { status } = await replyTo(await served(echo), modern('tools/call', { name }, { 'mcp-name': encoded }))
  expect(status).toBe(200)
})

test('an array of messages belongs to one revision only', async () => {
  const url = await served(echo)
  const session = await legacySession(url)
  const body = JSON.stringify([{ jsonrpc: '2.0', id: 5, method: 'ping' }])
  expect(await replyTo(url, { headers: session, body })).toMatchObject({ status: 400, error: { code: -32600 } })
})

test('an id that is in use is not used twice', async () => {
  let release = (): void => undefined
  const waiting = new Promise<void>((resolve) => {
    release = resolve
  })
  const url = await served(serviceOf(() => waiting.then(() => said('late'))))
  const session = await legacySession(url)
  const first = replyTo(url, legacy('tools/call', { name: 'slow' }, session, 7))
  await replyTo(url, legacy('ping', {}, session, 8))
  expect((await replyTo(url, legacy('ping', {}, session, 7))).error?.code).toBe(-32600)
  release()
  expect((await first).result).toMatchObject(said('late'))
})
