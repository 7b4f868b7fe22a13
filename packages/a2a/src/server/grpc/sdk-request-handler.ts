import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  type MessageFns,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk'
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import type { Json } from '@tenon/kernel'
import { ANONYMOUS, type Caller } from '../../tasks/caller.js'
import { withTenant } from '../../tasks/with-tenant.js'
import type { A2AEndpoint } from '../a2a-endpoint.js'
import { activeExtensions } from '../active-extensions.js'
import { type CallFrame, OPERATIONS, type Operation, type OperationName, readRequest } from '../operations.js'
import { grpcError } from './grpc-error.js'

/** Who calls and for how long, as the transport found out; given to the SDK as its user. */
export type SdkCaller = {
  readonly isAuthenticated: boolean
  readonly userName: string
  readonly caller: Caller
  readonly signal: AbortSignal
}

/**
 * Our operations as the handler that every transport of the official SDK stands on. Requests and results pass through
 * their JSON, so that they are held to the same rules as those of the other bindings.
 */
export function sdkRequestHandler(endpoint: A2AEndpoint): A2ARequestHandler {
  const { service } = endpoint.options

  function begin(name: OperationName, request: Json, context: ServerCallContext) {
    const operation: Operation = OPERATIONS[name]
    const params = readRequest(operation, request)
    const { caller = ANONYMOUS, signal = NEVER } = (context.user ?? {}) as Partial<SdkCaller>
    for (const uri of activeExtensions(service.exposed, new Set(context.requestedExtensions ?? [])))
      context.addActivatedExtension(uri)
    const frame: CallFrame = {
      caller: withTenant(service.exposed, caller, params.tenant),
      version: '1.0',
      signal,
      extendedCard: () => endpoint.extendedCard(frame.caller, '1.0'),
    }
    return { operation, params, frame }
  }

  async function unary(name: OperationName, request: unknown, context: ServerCallContext): Promise<Json> {
    try {
      const { operation, params, frame } = begin(name, request as Json, context)
      if (!('unary' in operation)) throw new TypeError(`${name} is a stream.`)
      return await operation.unary(service, params, frame)
    } catch (error) {
      throw grpcError(error)
    }
  }

  async function* stream(
    name: OperationName,
    request: unknown,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    try {
      const { operation, params, frame } = begin(name, request as Json, context)
      if (!('stream' in operation)) throw new TypeError(`${name} is no stream.`)
      for await (const { event } of operation.stream(service, params, frame)) yield StreamResponse.fromJSON(event)
    } catch (error) {
      throw grpcError(error)
    }
  }

  const simple =
    <Request, Result>(name: OperationName, request: MessageFns<Request>, result: MessageFns<Result>) =>
    async (params: Request, context: ServerCallContext): Promise<Result> =>
      result.fromJSON(await unary(name, request.toJSON(params), context))

  return {
    getAgentCard: async () => AgentCard.fromJSON(endpoint.card),
    getAuthenticatedExtendedAgentCard: async (params, context) =>
      AgentCard.fromJSON(await unary('GetExtendedAgentCard', { tenant: params.tenant }, context)),
    async sendMessage(params, context) {
      const sent = (await unary('SendMessage', SendMessageRequest.toJSON(params), context)) as {
        readonly task?: Json
        readonly message?: Json
      }
      return sent.task === undefined ? Message.fromJSON(sent.message) : Task.fromJSON(sent.task)
    },
    sendMessageStream: (params, context) => stream('SendStreamingMessage', SendMessageRequest.toJSON(params), context),
    resubscribe: (params, context) => stream('SubscribeToTask', SubscribeToTaskRequest.toJSON(params), context),
    getTask: simple('GetTask', GetTaskRequest, Task),
    cancelTask: simple('CancelTask', CancelTaskRequest, Task),
    listTasks: simple('ListTasks', ListTasksRequest, ListTasksResponse),
    createTaskPushNotificationConfig: simple(
      'CreateTaskPushNotificationConfig',
      TaskPushNotificationConfig,
      TaskPushNotificationConfig,
    ),
    getTaskPushNotificationConfig: simple(
      'GetTaskPushNotificationConfig',
      GetTaskPushNotificationConfigRequest,
      TaskPushNotificationConfig,
    ),
    listTaskPushNotificationConfigs: simple(
      'ListTaskPushNotificationConfigs',
      ListTaskPushNotificationConfigsRequest,
      ListTaskPushNotificationConfigsResponse,
    ),
    async deleteTaskPushNotificationConfig(params, context) {
      await unary('DeleteTaskPushNotificationConfig', DeleteTaskPushNotificationConfigRequest.toJSON(params), context)
    },
  }
}

const NEVER = new AbortController().signal
