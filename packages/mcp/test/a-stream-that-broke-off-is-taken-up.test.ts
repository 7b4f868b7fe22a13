import { expect, test } from 'vitest'
import type { ServedCall } from '../src/server/service.js'
import { legacy, legacySession, modern, replyTo, said, send, served, serviceOf, textOf } from './served.js'

/** A call that goes on when the test lets it. */
function held() {
  let go = (): void => undefined
  let begun: (call: ServedCall) => void = () => undefined
  const going = new Promise<void>((resolve) => {
    go = resolve
  })
  const started = new Promise<ServedCall>((resolve) => {
    begun = resolve
  })
  const service = serviceOf(async (call) => {
    begun(call)
    call.progress?.({ progress: 1, total: 2 })
    await going
    call.progress?.({ progress: 2, total: 2 })
    return said('done')
  })
  return { service, started, go: () => go() }
}

const aborted = ({ signal }: ServedCall): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) done()
    else signal.addEventListener('abort', () => done(), { once: true })
  })

test('what was sent meanwhile, and the answer, come after the last event that was seen', async () => {
  const { service, started, go } = held()
  const url = await served(service)
  const session = await legacySession(url)
  const params = { name: 'work', _meta: { progressToken: 'p1' } }
  const stream = await send(url, legacy('tools/call', params, session))
  let seen = ''
  for await (const part of stream.setEncoding('utf8')) {
    seen += part
    if (seen.includes('"progress":1')) break
  }
  stream.destroy()
  const lastId = [...seen.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? ''
  expect((await started).signal.aborted).toBe(false)
  go()
  const again = await send(url, { method: 'GET', headers: { ...session, 'last-event-id': lastId } })
  const rest = await textOf(again)
  expect(rest).not.toContain('"progress":1')
  expect(rest).toContain('"progress":2')
  expect(rest).toContain('"done"')
})

test('a modern client that leaves has cancelled', async () => {
  const { service, started } = held()
  const url = await served(service)
  const stream = await send(url, modern('tools/call', { name: 'work', _meta: { progressToken: 1 } }))
  const call = await started
  stream.destroy()
  await aborted(call)
  expect(call.signal.reason).toMatchObject({ code: 'mcp-cancelled' })
})

test('a legacy client cancels by name', async () => {
  const { service, started } = held()
  const url = await served(service)
  const session = await legacySession(url)
  const answer = replyTo(url, legacy('tools/call', { name: 'work' }, session, 9))
  const call = await started
  await replyTo(url, {
    headers: session,
    body: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}',
  })
  await aborted(call)
  expect((await answer).result).toBeUndefined()
})

test('a session that nobody uses ends, and says so', async () => {
  const url = await served(
    serviceOf(async () => said('ok')),
    { limits: { sessionIdleMs: 60 } },
  )
  const session = await legacySession(url)
  const status = async (): Promise<number | undefined> =>
    (await replyTo(url, { method: 'GET', headers: { ...session, accept: 'none' } })).status
  while ((await status()) !== 404) await new Promise((soon) => setTimeout(soon, 20))
  expect((await replyTo(url, legacy('ping', {}, session))).error?.code).toBe(-32001)
})

test('a session is ended by its client', async () => {
  const url = await served(serviceOf(async () => said('ok')))
  const session = await legacySession(url)
  expect((await replyTo(url, { method: 'DELETE', headers: session })).status).toBe(204)
  expect((await replyTo(url, legacy('ping', {}, session))).status).toBe(404)
})

test('the oldest idle session makes room for a new one', async () => {
  const url = await served(
    serviceOf(async () => said('ok')),
    { limits: { maxSessions: 2 } },
  )
  const [first, second, third] = [await legacySession(url), await legacySession(url), await legacySession(url)]
  expect((await replyTo(url, legacy('ping', {}, first ?? {}))).status).toBe(404)
  expect((await replyTo(url, legacy('ping', {}, second ?? {}))).status).toBe(200)
  expect((await replyTo(url, legacy('ping', {}, third ?? {}))).status).toBe(200)
})
