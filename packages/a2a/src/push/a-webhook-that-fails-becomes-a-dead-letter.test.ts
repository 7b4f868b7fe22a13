import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Store } from '@tenon/store'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openService } from '../../test/support/open-service.js'
import { scriptedAgent } from '../../test/support/scripted-agent.js'
import { ANONYMOUS } from '../tasks/caller.js'
import { PushSender, type PushSenderOptions } from './push-sender.js'
import { SecretSeal } from './secret-seal.js'

const SEND = { version: '1.0', signal: new AbortController().signal } as const
const seal = new SecretSeal(new Uint8Array(32))

/** A webhook that answers with `status`, which the test may change. */
async function webhook(status: number, location = '') {
  const hook = { status, url: '', paths: [] as string[], bodies: [] as string[], heard: (): unknown => undefined }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    hook.paths.push(request.url ?? '')
    hook.bodies.push(body)
    hook.heard()
    response.writeHead(hook.status, location === '' ? {} : { location }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  hook.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return hook
}

async function told(url: string, more: (store: Store) => Partial<PushSenderOptions> = () => ({})) {
  const allowed = ['127.0.0.1']
  const { agent } = scriptedAgent([[{ kind: 'text', text: 'done' }]])
  const { service, store } = openService(() => agent, {}, allowed)
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] } as const
  const configuration = {
    taskPushNotificationConfig: { url, token: 'hush', authentication: { scheme: 'Bearer', credentials: 's3cret' } },
  }
  const sent = await service.send(ANONYMOUS, { message, configuration }, SEND)
  const runId = service.runOf(ANONYMOUS, 'task' in sent ? sent.task.id : '')
  const sender = new PushSender({ store, seal, allowed, attempts: 2, retryMs: 1, ...more(store) })
  onTestFinished(() => sender.stop())
  sender.start()
  return { store, runId, sender }
}

test('what was given up is listed, and is told when it is replayed', async () => {
  const hook = await webhook(500)
  const { store, runId, sender } = await told(hook.url)
  // The task, working, the artifact, completed: each tried twice, then given up, and the next one tried.
  await vi.waitFor(() => expect(store.pushes.dead(runId)).toHaveLength(4), { timeout: 4_000 })
  expect(hook.bodies).toHaveLength(8)
  expect(store.pushes.dead(runId)[0]).toMatchObject({ reason: 'HTTP 500' })

  const last = store.pushes.dead(runId)[3]?.number ?? 0
  expect(await sender.replay(last)).toBe('not-told')
  hook.status = 200
  const again = store.pushes.dead(runId).at(-1)?.number ?? 0
  expect(await sender.replay(again)).toBe('told')
  expect(hook.bodies.at(-1)).toContain('TASK_STATE_COMPLETED')
  expect(store.pushes.dead(runId)).toHaveLength(3)
})

test('a dead letter is in the list as long as its webhook has not taken it, whatever becomes of whoever replays it', async () => {
  const hook = await webhook(500)
  const { store, runId, sender } = await told(hook.url)
  await vi.waitFor(() => expect(store.pushes.dead(runId)).toHaveLength(4), { timeout: 4_000 })
  const [first, second] = store.pushes.dead(runId)
  const listed: boolean[] = []
  hook.status = 200
  hook.heard = () => listed.push(store.pushes.dead(runId).some(({ number }) => number === first?.number))
  expect(await sender.replay(first?.number ?? 0)).toBe('told')
  expect(listed).toEqual([true])
  expect(store.pushes.dead(runId)).toHaveLength(3)

  store.pushes.remove(runId, second?.target ?? '')
  expect(await sender.replay(second?.number ?? 0)).toBe('gone')
  expect(store.pushes.dead(runId)).toHaveLength(2)
})

test('a redirect is not followed, and nothing is told to where it leads', async () => {
  const other = await webhook(200)
  const hook = await webhook(307, other.url)
  const { store, runId } = await told(hook.url)
  await vi.waitFor(() => expect(store.pushes.dead(runId).length).toBeGreaterThan(0), { timeout: 4_000 })
  expect(other.bodies).toEqual([])
})

test('what the owner of a webhook keeps secret is not in the store in clear, and is not given back', async () => {
  const hook = await webhook(200)
  const { store, runId } = await told(hook.url)
  const [target] = store.pushes.list(runId)
  expect(target?.body).not.toMatch(/s3cret|hush/)
  expect(seal.open(seal.seal('s3cret'))).toBe('s3cret')
})

test('a store that is locked when it is looked at, or when a webhook was told, ends nothing: all is told in the end', async () => {
  const hook = await webhook(200)
  const failed: string[] = []
  const once = <Args extends unknown[], Result>(name: string, work: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      if (failed.includes(name)) return work(...args)
      failed.push(name)
      throw new Error(`${name}: database is locked`)
    }
  }
  const reported: unknown[] = []
  const { store, runId } = await told(hook.url, (whole) => ({
    store: {
      ...whole,
      pushes: { ...whole.pushes, due: once('due', whole.pushes.due), advance: once('advance', whole.pushes.advance) },
      leases: { ...whole.leases, release: once('release', whole.leases.release) },
    },
    report: (error) => reported.push(error),
  }))
  await vi.waitFor(() => expect(hook.bodies.at(-1)).toContain('TASK_STATE_COMPLETED'), { timeout: 4_000 })
  expect(failed.sort()).toEqual(['advance', 'due', 'release'])
  expect(reported.length).toBeGreaterThan(0)
  expect(store.pushes.dead(runId)).toEqual([])
})
