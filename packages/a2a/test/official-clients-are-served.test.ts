import { randomUUID } from 'node:crypto'
import { type Message, Role, TaskState } from '@a2a-js/sdk'
import { ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client'
import {
  ClientFactory as OldClientFactory,
  ClientFactoryOptions as OldClientFactoryOptions,
} from 'a2a-js-sdk-v0-3/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RequestServer, startRequestServer } from '../src/cases/request-server.js'

let server: RequestServer

beforeEach(async () => {
  server = await startRequestServer({}, () => true)
})
afterEach(() => server.stop())

const message = (text: string, taskId = '', contextId = ''): Message => ({
  messageId: randomUUID(),
  role: Role.ROLE_USER,
  taskId,
  contextId,
  parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
})

const request = (said: Message) => ({ tenant: '', metadata: undefined, configuration: undefined, message: said })

test.each(['JSONRPC', 'HTTP+JSON'])(
  '@a2a-js/sdk 1.3.0 over %s: a stream, a question, its answer, a cancel',
  async (binding) => {
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] })
    const client = await new ClientFactory(options).createFromUrl(server.origin)

    const words: string[] = []
    for await (const { payload } of client.sendMessageStream(request(message('chunks 3'))))
      if (payload?.$case === 'artifactUpdate')
        for (const { content } of payload.value.artifact?.parts ?? [])
          if (content?.$case === 'text') words.push(content.value)
    expect(words).toEqual(['c0 ', 'c1 ', 'c2 '])

    const asked = await client.sendMessage(request(message('ask Which blue? then finish')))
    if (!('id' in asked)) throw new Error('a message came in place of a task')
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    const answered = await client.sendMessage(request(message('navy', asked.id, asked.contextId)))
    expect(answered).toMatchObject({
      id: asked.id,
      status: { state: TaskState.TASK_STATE_COMPLETED },
      artifacts: [{ parts: [{ content: { $case: 'text', value: 'Which blue? -> navy' } }] }],
    })

    const open = await client.sendMessage(request(message('ask Still there? then finish')))
    if (!('id' in open)) throw new Error('a message came in place of a task')
    const canceled = await client.cancelTask({ tenant: '', id: open.id, metadata: undefined })
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
  },
)

test.each(['JSONRPC', 'HTTP+JSON'])(
  '@a2a-js/sdk 0.3.14 over %s: a stream, a question, its answer, a cancel',
  async (binding) => {
    const options = OldClientFactoryOptions.createFrom(OldClientFactoryOptions.default, {
      preferredTransports: [binding],
    })
    const client = await new OldClientFactory(options).createFromUrl(server.origin)
    const said = (text: string, taskId?: string) => ({
      message: {
        kind: 'message' as const,
        messageId: randomUUID(),
        role: 'user' as const,
        parts: [{ kind: 'text' as const, text }],
        ...(taskId === undefined ? {} : { taskId }),
      },
    })
    const kinds: string[] = []
    for await (const event of client.sendMessageStream(said('echo hills'))) kinds.push(event.kind)
    expect(kinds).toEqual(['task', 'status-update', 'artifact-update', 'status-update'])

    const asked = await client.sendMessage(said('ask Which blue? then finish'))
    expect(asked).toMatchObject({ kind: 'task', status: { state: 'input-required' } })
    const answered = await client.sendMessage(said('navy', 'id' in asked ? asked.id : ''))
    expect(answered).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ kind: 'text', text: 'Which blue? -> navy' }] }],
    })

    const open = await client.sendMessage(said('ask Still there? then finish'))
    const id = 'id' in open ? open.id : ''
    expect(await client.cancelTask({ id })).toMatchObject({ status: { state: 'canceled' } })
    expect(await client.getTask({ id })).toMatchObject({ id, status: { state: 'canceled' } })
  },
)
