import { expect, onTestFinished, test } from 'vitest'
import { rpc, said } from '../../test/support/rpc.js'
import { startRequestServer } from '../cases/request-server.js'

async function served(): Promise<string> {
  const server = await startRequestServer({ auth: 'bearer' }, () => false)
  onTestFinished(() => server.stop())
  return server.urls['jsonrpc 1.0'] ?? ''
}

const as = (name: string, key: string) => ({ authorization: `Bearer ${name}-token`, 'idempotency-key': key })

test('the same key and message give the same task', async () => {
  const url = await served()
  const first = await rpc(url, 'SendMessage', said('echo x'), as('alice', 'k1'))
  const again = await rpc(url, 'SendMessage', said('echo x'), as('alice', 'k1'))
  expect(again.result?.task?.id).toBe(first.result?.task?.id)
  const { result } = await rpc(url, 'ListTasks', {}, as('alice', ''))
  expect(result?.totalSize).toBe(1)
})

test('the same key with another message is refused', async () => {
  const url = await served()
  await rpc(url, 'SendMessage', said('echo x'), as('alice', 'k1'))
  const { error } = await rpc(url, 'SendMessage', said('echo y'), as('alice', 'k1'))
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('Idempotency-Key') })
})

test('the key of another caller is another key', async () => {
  const url = await served()
  const first = await rpc(url, 'SendMessage', said('echo x'), as('alice', 'k1'))
  const other = await rpc(url, 'SendMessage', said('echo x'), as('bob', 'k1'))
  expect(other.result?.task?.id).not.toBe(first.result?.task?.id)
})

test('an answer that is repeated with its key is taken once', async () => {
  const url = await served()
  const { result } = await rpc(url, 'SendMessage', said('ask A? then ask B? then finish'), as('alice', 'k1'))
  const answer = said('one', { taskId: result?.task?.id })
  await rpc(url, 'SendMessage', answer, as('alice', 'k2'))
  const again = await rpc(url, 'SendMessage', answer, as('alice', 'k2'))
  expect(again.result?.task?.status).toMatchObject({
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { parts: [{ text: 'B?' }] },
  })
})
