import { randomUUID } from 'node:crypto'
import { Role, TaskState } from '@a2a-js/sdk'
import { ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client'
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../../test/support/open-service.js'
import { Access } from '../../access/access.js'
import { staticBearer } from '../../access/static-schemes.js'
import { FIXTURE, fixtureAgent } from '../../cases/fixture-agent.js'
import { A2AEndpoint } from '../a2a-endpoint.js'
import { openGrpcServer } from './grpc-server.js'

const request = (said: string, taskId = '') => ({
  tenant: '',
  metadata: undefined,
  configuration: undefined,
  message: {
    messageId: randomUUID(),
    role: Role.ROLE_USER,
    taskId,
    contextId: '',
    parts: [
      { content: { $case: 'text' as const, value: said }, metadata: undefined, filename: '', mediaType: 'text/plain' },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
})

async function client(access = new Access([])) {
  const { service } = openService(() => fixtureAgent(() => undefined), { agent: FIXTURE })
  const at = { service, url: 'http://127.0.0.1:1/a2a/fixture', access }
  const server = await openGrpcServer(new A2AEndpoint({ ...at, grpcUrl: '127.0.0.1:1' }), {
    host: '127.0.0.1',
    port: 0,
  })
  onTestFinished(() => server.close())
  const { card } = new A2AEndpoint({ ...at, grpcUrl: `127.0.0.1:${server.port}` })
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new GrpcTransportFactory()],
    preferredTransports: ['GRPC'],
  })
  const { AgentCard } = await import('@a2a-js/sdk')
  return new ClientFactory(options).createFromAgentCard(AgentCard.fromJSON(card))
}

test('a stream, a question and its answer, and an error, by the official client', async () => {
  const grpc = await client()
  const words: string[] = []
  for await (const { payload } of grpc.sendMessageStream(request('chunks 3')))
    if (payload?.$case === 'artifactUpdate')
      for (const { content } of payload.value.artifact?.parts ?? [])
        if (content?.$case === 'text') words.push(content.value)
  expect(words).toEqual(['c0 ', 'c1 ', 'c2 '])

  const asked = await grpc.sendMessage(request('ask Which? then finish'))
  if (!('id' in asked)) throw new Error('a message came in place of a task')
  expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
  const answered = await grpc.sendMessage(request('this', asked.id))
  expect(answered).toMatchObject({ status: { state: TaskState.TASK_STATE_COMPLETED } })

  await expect(grpc.getTask({ tenant: '', id: 'no-such-task', historyLength: undefined })).rejects.toMatchObject({
    name: expect.stringContaining('TaskNotFound'),
  })
})

test('whoever does not say who it is gets nothing', async () => {
  const grpc = await client(new Access([staticBearer([{ token: 't', owner: 'alice' }])]))
  await expect(grpc.sendMessage(request('echo x'))).rejects.toThrow(/Say who you are/)
})
