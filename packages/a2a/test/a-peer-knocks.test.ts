import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startWebhook } from '../src/cases/webhook.js'
import { PushInbox } from '../src/peer/push-inbox.js'
import { delegator } from './support/delegator.js'

type Config = { readonly url: string; readonly token: string }

/** A peer that answers with what `state` is now, and keeps the webhook that it was given. */
async function peerOf(more: { readonly refusePush?: boolean } = {}) {
  const seen: string[] = []
  const now = { state: 'TASK_STATE_AUTH_REQUIRED', hook: undefined as Config | undefined }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { host = '' } = request.headers
    if (request.method === 'GET') {
      response.end(
        JSON.stringify({
          name: 'knocker',
          supportedInterfaces: [{ url: `http://${host}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
          capabilities: { pushNotifications: true },
        }),
      )
      return
    }
    let body = ''
    for await (const chunk of request) body += chunk
    const { id, method, params } = JSON.parse(body)
    seen.push(method)
    const config = params.configuration?.taskPushNotificationConfig
    if (config !== undefined && more.refusePush) {
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32003, message: 'no push here' } }))
      return
    }
    now.hook ??= config
    const done = now.state === 'TASK_STATE_COMPLETED'
    const task = {
      id: 'task-1',
      contextId: 'ctx',
      status: {
        state: now.state,
        message: { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: 'Sign in there.' }] },
      },
      artifacts: done ? [{ artifactId: 'a', parts: [{ text: 'all done' }] }] : [],
    }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'SendMessage' ? { task } : task }))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { now, seen, peer: { name: 'knocker', url: `http://${host}/card`, allow: [host] } }
}

async function hostOf(peer: Parameters<typeof delegator>[0]) {
  const webhook = await startWebhook()
  const host = delegator(peer)
  const key = Buffer.alloc(32, 1)
  webhook.inbox = new PushInbox({ url: webhook.url, key, engine: () => host.engine })
  host.peers.push = webhook.inbox
  onTestFinished(async () => {
    await host.close()
    await webhook.stop()
  })
  return host
}

const knock = async ({ url, token }: Config): Promise<number> =>
  (await fetch(url, { method: 'POST', headers: { 'x-a2a-notification-token': token }, body: '{"lies": true}' })).status

test('what was settled at the peer goes on by itself: the parked run is woken, its question withdrawn', async () => {
  const { peer, now } = await peerOf()
  const host = await hostOf(peer)
  const runId = await host.start('work')
  const parked = await host.engine.drive(runId)
  expect(parked.state).toBe('auth-required')
  now.state = 'TASK_STATE_COMPLETED'
  expect(await knock(now.hook!)).toBe(204)
  const run = await host.engine.drive(runId)
  expect(run.state).toBe('completed')
  expect(run.inputs.size).toBe(0)
  expect(await host.text(runId)).toContain('all done')
})

test('a knock without news changes nothing, and one without the token is refused', async () => {
  const { peer, now, seen } = await peerOf()
  const host = await hostOf(peer)
  const runId = await host.start('work')
  await host.engine.drive(runId)
  expect(await knock({ url: now.hook!.url, token: 'forged' })).toBe(401)
  expect(seen).toEqual(['SendMessage'])
  expect(await knock(now.hook!)).toBe(204)
  const run = await host.engine.drive(runId)
  expect(run.state).toBe('auth-required')
  expect(run.inputs.size).toBe(1)
  expect(seen).toEqual(['SendMessage', 'GetTask'])
})

test('a peer that takes no webhook is worked with all the same', async () => {
  const { peer, now, seen } = await peerOf({ refusePush: true })
  now.state = 'TASK_STATE_COMPLETED'
  const host = await hostOf(peer)
  const runId = await host.start('work')
  await host.engine.drive(runId)
  expect(await host.text(runId)).toContain('all done')
  expect(seen).toEqual(['SendMessage', 'SendMessage'])
})
