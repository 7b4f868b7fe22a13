import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Message, type Part, Role, TaskState } from '@a2a-js/sdk'
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import { A2AService, UserBuilder as GrpcUserBuilder, grpcService } from '@a2a-js/sdk/server/grpc'
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js'
import * as old from 'a2a-js-sdk-v0-3/server'
import * as oldExpress from 'a2a-js-sdk-v0-3/server/express'
import express, { type Express } from 'express'

export type StockServer = { readonly url: string; readonly host: string; stop(): Promise<void> }

/** What the agent behind every stock server does: `echo X`, `ask`, `never`, `fail`, `chunks`. */
type Script = {
  readonly words: string
  /** The answer to the question of `ask`, once there is one. */
  readonly answer: string | undefined
  readonly artifact: (text: string, append?: boolean) => void
  readonly state: (state: 'working' | 'completed' | 'failed' | 'input', words?: string) => void
  readonly canceled: Promise<void>
}

async function play({ words, answer, artifact, state, canceled }: Script): Promise<void> {
  if (answer !== undefined) {
    artifact(`blue is ${answer}`)
    state('completed')
  } else if (words === 'ask') state('input', 'Which blue?')
  else if (words === 'never') await canceled
  else if (words === 'fail') state('failed', 'the disk is full')
  else if (words === 'chunks') {
    artifact('one ')
    artifact('two ', true)
    artifact('three', true)
    state('completed')
  } else {
    artifact(words)
    state('completed')
  }
}

/** The question that a task asked is what its first message was; the words that follow are the answer. */
const questions = new Set<string>()
const stops = new Map<string, () => void>()

const CARD = {
  name: 'stock',
  description: 'A stock server.',
  version: '1',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
}

async function listen(app: Express): Promise<{ server: Server; host: string }> {
  const server = await new Promise<Server>((resolve) => {
    const made = app.listen(0, '127.0.0.1', () => resolve(made))
  })
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const stopping = (server: Server) => async (): Promise<void> => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** `@a2a-js/sdk` 1.3.0 with its own handler. The port is known before the card, because the card names it. */
export async function stockServer(binding: 'JSONRPC' | 'HTTP+JSON' | 'GRPC'): Promise<StockServer> {
  const app = express()
  const { server, host } = await listen(app)
  const url = `http://${host}`
  const part = (text: string): Part => ({
    content: { $case: 'text', value: text },
    metadata: undefined,
    filename: '',
    mediaType: 'text/plain',
  })
  const executor: AgentExecutor = {
    async execute({ taskId, contextId, task, userMessage }, bus) {
      const words = textOf(userMessage)
      const timestamp = (): string => new Date().toISOString()
      const state: Script['state'] = (name, said) => {
        if (name === 'input') questions.add(taskId)
        const message =
          said === undefined
            ? undefined
            : ({
                ...blank(taskId, contextId),
                messageId: randomUUID(),
                role: Role.ROLE_AGENT,
                parts: [part(said)],
              } as Message)
        bus.publish(
          AgentEvent.statusUpdate({
            taskId,
            contextId,
            status: { state: STATES[name], message, timestamp: timestamp() },
            metadata: {},
          }),
        )
      }
      bus.publish(
        AgentEvent.task(
          task ?? {
            id: taskId,
            contextId,
            status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: timestamp() },
            artifacts: [],
            history: [userMessage],
            metadata: undefined,
          },
        ),
      )
      state('working')
      const canceled = new Promise<void>((resolve) => stops.set(taskId, resolve))
      await play({
        words,
        answer: questions.delete(taskId) ? words : undefined,
        artifact: (text, append = false) =>
          bus.publish(
            AgentEvent.artifactUpdate({
              taskId,
              contextId,
              append,
              lastChunk: false,
              metadata: {},
              artifact: {
                artifactId: 'result',
                name: 'result',
                description: '',
                parts: [part(text)],
                metadata: {},
                extensions: [],
              },
            }),
          ),
        state,
        canceled,
      })
    },
    async cancelTask(taskId, bus) {
      bus.publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId: '',
          status: {
            state: TaskState.TASK_STATE_CANCELED,
            message: undefined,
            timestamp: new Date().toISOString(),
          },
          metadata: {},
        }),
      )
      stops.get(taskId)?.()
    },
  }
  const grpc = new GrpcServer()
  const grpcPort = await new Promise<number>((resolve, reject) =>
    grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    ),
  )
  const at = { JSONRPC: `${url}/rpc`, 'HTTP+JSON': `${url}/rest`, GRPC: `127.0.0.1:${grpcPort}` }[binding]
  const handler = new DefaultRequestHandler(
    {
      ...CARD,
      documentationUrl: '',
      provider: undefined,
      capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
      securitySchemes: {},
      securityRequirements: [],
      signatures: [],
      supportedInterfaces: [{ url: at, protocolBinding: binding, tenant: '', protocolVersion: '1.0' }],
    },
    new InMemoryTaskStore(),
    executor,
  )
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler }))
  const userBuilder = UserBuilder.noAuthentication
  app.use('/rpc', jsonRpcHandler({ requestHandler: handler, userBuilder }))
  app.use('/rest', restHandler({ requestHandler: handler, userBuilder }))
  grpc.addService(A2AService, grpcService({ requestHandler: handler, userBuilder: GrpcUserBuilder.noAuthentication }))
  const stopHttp = stopping(server)
  return {
    url: `${url}/.well-known/agent-card.json`,
    host: '127.0.0.1',
    async stop() {
      grpc.forceShutdown()
      await stopHttp()
    },
  }
}

const STATES = {
  working: TaskState.TASK_STATE_WORKING,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  input: TaskState.TASK_STATE_INPUT_REQUIRED,
} as const

const blank = (taskId: string, contextId: string) => ({
  taskId,
  contextId,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
})

const textOf = (message: Message): string =>
  message.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('')

const OLD_STATES = { working: 'working', completed: 'completed', failed: 'failed', input: 'input-required' } as const

/** `@a2a-js/sdk` 0.3.14, which speaks 0.3 alone. */
export async function oldStockServer(binding: 'JSONRPC' | 'HTTP+JSON'): Promise<StockServer> {
  const app = express()
  const { server, host } = await listen(app)
  const url = `http://${host}`
  const executor: old.AgentExecutor = {
    async execute({ taskId, contextId, task, userMessage }, bus) {
      const words = userMessage.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
      const state: Script['state'] = (name, said) => {
        if (name === 'input') questions.add(taskId)
        bus.publish({
          kind: 'status-update',
          taskId,
          contextId,
          final: name !== 'working',
          status: {
            state: OLD_STATES[name],
            timestamp: new Date().toISOString(),
            ...(said === undefined
              ? {}
              : {
                  message: {
                    kind: 'message' as const,
                    role: 'agent' as const,
                    messageId: randomUUID(),
                    taskId,
                    contextId,
                    parts: [{ kind: 'text' as const, text: said }],
                  },
                }),
          },
        })
      }
      if (task === undefined)
        bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'submitted' }, history: [userMessage] })
      state('working')
      const canceled = new Promise<void>((resolve) => stops.set(taskId, resolve))
      await play({
        words,
        answer: questions.delete(taskId) ? words : undefined,
        artifact: (text, append = false) =>
          bus.publish({
            kind: 'artifact-update',
            taskId,
            contextId,
            append,
            artifact: { artifactId: 'result', name: 'result', parts: [{ kind: 'text', text }] },
          }),
        state,
        canceled,
      })
      bus.finished()
    },
    async cancelTask(taskId, bus) {
      bus.publish({ kind: 'status-update', taskId, contextId: '', final: true, status: { state: 'canceled' } })
      stops.get(taskId)?.()
    },
  }
  const handler = new old.DefaultRequestHandler(
    {
      ...CARD,
      protocolVersion: '0.3.0',
      url: `${url}${binding === 'JSONRPC' ? '/rpc' : '/rest'}`,
      preferredTransport: binding,
      capabilities: { streaming: true, pushNotifications: false },
    },
    new old.InMemoryTaskStore(),
    executor,
  )
  app.use('/.well-known/agent-card.json', oldExpress.agentCardHandler({ agentCardProvider: handler }))
  const userBuilder = oldExpress.UserBuilder.noAuthentication
  app.use('/rpc', oldExpress.jsonRpcHandler({ requestHandler: handler, userBuilder }))
  app.use('/rest', oldExpress.restHandler({ requestHandler: handler, userBuilder }))
  return { url: `${url}/.well-known/agent-card.json`, host, stop: stopping(server) }
}
