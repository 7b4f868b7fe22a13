import { expect, onTestFinished, test } from 'vitest'
import { open, readEvents, rpc, said } from '../../test/support/rpc.js'
import { startRequestServer } from '../cases/request-server.js'

test('a client that names the last event gets what came after it and nothing twice', async () => {
  const server = await startRequestServer({}, () => false)
  onTestFinished(() => server.stop())
  const url = server.urls['jsonrpc 1.0'] ?? ''
  const whole = await readEvents(await open(url, 'SendStreamingMessage', said('chunks 6')))
  const third = whole[3]
  const task = whole[0]?.event.task as { readonly id: string } | undefined
  const rest = await readEvents(
    await open(url, 'SubscribeToTask', { id: task?.id }, { 'last-event-id': third?.id ?? '' }),
  )
  expect(rest).toEqual(whole.slice(4))
  expect(rest.length).toBeGreaterThan(3)
})

test('a client that leaves does not stop the task', async () => {
  const server = await startRequestServer({}, () => false)
  onTestFinished(() => server.stop())
  const url = server.urls['jsonrpc 1.0'] ?? ''
  const [first] = await readEvents(await open(url, 'SendStreamingMessage', said('ask Still? then finish')), (event) =>
    JSON.stringify(event).includes('INPUT_REQUIRED'),
  )
  const id = (first?.event.task as { readonly id: string } | undefined)?.id
  const { result } = await rpc(url, 'SendMessage', said('yes', { taskId: id }))
  expect(result?.task?.status.state).toBe('TASK_STATE_COMPLETED')
})
