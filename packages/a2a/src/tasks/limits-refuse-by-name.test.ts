import type { Tool } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { openService } from '../../test/support/open-service.js'
import { scriptedAgent } from '../../test/support/scripted-agent.js'
import { ANONYMOUS, type Caller } from './caller.js'
import { type ExposedAgent, TASK_LIMITS } from './exposed-agent.js'
import type { SendRequest } from './requests.js'
import type { TaskService } from './task-service.js'

const OPTIONS = { version: '1.0', signal: new AbortController().signal } as const
const ALICE: Caller = { owner: 'alice', authenticated: true }

const said = (text: string, more: Partial<SendRequest['message']> = {}): SendRequest => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...more },
})

const started = (text: string): SendRequest => ({ ...said(text), configuration: { returnImmediately: true } })

/** A tool that is at work until it is told to stop. */
const work: Tool = {
  name: 'work',
  description: 'Works.',
  input: { json: { type: 'object' }, check: (value) => ({ ok: true, value }) },
  effect: 'pure',
  origin: { kind: 'function', name: 'work' },
  run: (_, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
}

/** An agent whose tasks never end, on these terms. */
function busy(terms: Partial<ExposedAgent>) {
  const turn = [{ kind: 'tool-call' as const, name: 'work', args: {} }]
  const { agent } = scriptedAgent([turn, turn, turn], { tools: [work] })
  return openService(() => agent, terms)
}

async function taskId(service: TaskService, request: SendRequest, caller = ANONYMOUS): Promise<string> {
  const sent = await service.send(caller, request, OPTIONS)
  return 'task' in sent ? sent.task.id : ''
}

test('an agent that takes no messages while it works says so, and its task goes on', async () => {
  const { service } = busy({ whileWorking: 'refuse' })
  const id = await taskId(service, started('go'))
  await expect(service.send(ANONYMOUS, said('and this', { taskId: id }), OPTIONS)).rejects.toMatchObject({
    code: 'a2a-unsupported-operation',
    message: expect.stringContaining('takes no messages meanwhile'),
  })
  const task = await service.get(ANONYMOUS, { id })
  expect(task).toMatchObject({ status: { state: 'TASK_STATE_WORKING' }, history: [{ parts: [{ text: 'go' }] }] })
})

test('one that queues them has them in the history, and no second task', async () => {
  const { service } = busy({})
  const id = await taskId(service, started('go'))
  const request = { ...said('and this', { taskId: id }), configuration: { returnImmediately: true } }
  expect(await taskId(service, request)).toBe(id)
  const { history } = await service.get(ANONYMOUS, { id })
  expect(history?.map(({ parts }) => parts)).toEqual([[{ text: 'go' }], [{ text: 'and this' }]])
  expect(service.list(ANONYMOUS, {}).totalSize).toBe(1)
})

test('a message of too many parts begins nothing', async () => {
  const { service } = busy({ limits: { ...TASK_LIMITS, parts: 2 } })
  const parts = [{ text: '1' }, { text: '2' }, { text: '3' }]
  await expect(service.send(ANONYMOUS, said('', { parts }), OPTIONS)).rejects.toMatchObject({
    code: 'a2a-invalid-params',
    message: expect.stringContaining('more than 2 parts'),
  })
  expect(service.list(ANONYMOUS, {}).totalSize).toBe(0)
})

test('an owner has so many open tasks and no more, and others have theirs', async () => {
  const { service } = busy({ limits: { ...TASK_LIMITS, openTasks: 1 } })
  const first = await taskId(service, started('go'), ALICE)
  await expect(service.send(ALICE, started('more'), OPTIONS)).rejects.toMatchObject({ code: 'a2a-too-many-tasks' })
  expect(await taskId(service, started('go'))).not.toBe('')
  await service.cancel(ALICE, first, OPTIONS.signal)
  expect(await taskId(service, started('again'), ALICE)).not.toBe('')
})

test('a history is shown to its end where nobody asks for more, and whole to who does', async () => {
  const { service } = busy({ limits: { ...TASK_LIMITS, history: 1 } })
  const id = await taskId(service, started('first'))
  await taskId(service, { ...said('second', { taskId: id }), configuration: { returnImmediately: true } })
  expect((await service.get(ANONYMOUS, { id })).history).toMatchObject([{ parts: [{ text: 'second' }] }])
  expect((await service.get(ANONYMOUS, { id, historyLength: 10 })).history).toHaveLength(2)
})

test('a task that the agent does not take is rejected before any work, and stays so', async () => {
  const { agent, asked } = scriptedAgent([[{ kind: 'text', text: 'done' }]])
  const { service } = openService(() => agent, {
    rejects: ({ parts }, { owner }) => (owner === 'alice' || parts.length > 1 ? undefined : 'Only for Alice.'),
    answers: () => 'message',
  })
  const sent = await service.send(ANONYMOUS, said('go'), OPTIONS)
  expect(sent).toMatchObject({
    task: { status: { state: 'TASK_STATE_REJECTED', message: { parts: [{ text: 'Only for Alice.' }] } } },
  })
  expect(asked).toEqual([])
  const { id } = 'task' in sent ? sent.task : { id: '' }
  expect((await service.get(ANONYMOUS, { id })).status.state).toBe('TASK_STATE_REJECTED')
  await expect(service.send(ANONYMOUS, said('please', { taskId: id }), OPTIONS)).rejects.toMatchObject({
    code: 'a2a-unsupported-operation',
  })
  expect(await service.send(ALICE, said('go'), OPTIONS)).toMatchObject({ message: { parts: [{ text: 'done' }] } })
})

test('a stream of a rejected task tells it and ends', async () => {
  const { agent } = scriptedAgent([])
  const { service } = openService(() => agent, { rejects: () => 'Not now.' })
  const states: string[] = []
  for await (const { event } of service.stream(ANONYMOUS, said('go'), OPTIONS))
    if ('task' in event) states.push(event.task.status.state)
    else if ('statusUpdate' in event) states.push(event.statusUpdate.status.state)
  expect(states).toEqual(['TASK_STATE_SUBMITTED', 'TASK_STATE_REJECTED'])
})
