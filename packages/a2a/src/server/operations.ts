import type { Json, JsonObject } from '@tenon/kernel'
import { A2AError } from '../errors.js'
import type { Caller } from '../tasks/caller.js'
import { invalid } from '../tasks/invalid-field.js'
import type { GetRequest, ListRequest, PushConfigRequest, SendRequest } from '../tasks/requests.js'
import type { PlacedEvent } from '../tasks/task-events.js'
import type { TaskService } from '../tasks/task-service.js'
import { readMessage } from './proto-json.js'
import { MESSAGES_1_0 } from './v1-0/message-table.js'

/** One request, apart from what it asks for. */
export type CallFrame = {
  readonly caller: Caller
  readonly version: '1.0' | '0.3'
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal
  readonly key?: string
  /** The place that an earlier stream came to. */
  readonly after?: { readonly seq: number; readonly part: number }
  /** The extended card, for those who may read it. */
  readonly extendedCard: () => Json
}

type Unary = (service: TaskService, params: JsonObject, frame: CallFrame) => Promise<Json> | Json
type Streaming = (service: TaskService, params: JsonObject, frame: CallFrame) => AsyncIterable<PlacedEvent>

export type Operation =
  | { readonly request: string; readonly unary: Unary }
  | { readonly request: string; readonly stream: Streaming }

/** The operations of A2A 1.0, by their names. Every binding and version comes down to these. */
export const OPERATIONS = {
  SendMessage: {
    request: 'SendMessageRequest',
    unary: async (service, params, frame) =>
      plain(await service.send(frame.caller, sendRequest(service, params), sendOptions(frame))),
  },
  SendStreamingMessage: {
    request: 'SendMessageRequest',
    stream: (service, params, frame) => service.stream(frame.caller, sendRequest(service, params), sendOptions(frame)),
  },
  GetTask: {
    request: 'GetTaskRequest',
    unary: async (service, params, { caller }) => {
      notNegative(params.historyLength, 'historyLength')
      return plain(await service.get(caller, params as unknown as GetRequest))
    },
  },
  ListTasks: {
    request: 'ListTasksRequest',
    unary: (service, params, { caller }) => {
      notNegative(params.historyLength, 'historyLength')
      const { pageSize } = params
      if (pageSize !== undefined && (Number(pageSize) < 1 || Number(pageSize) > 100))
        throw invalid('pageSize', 'must be from 1 to 100')
      return plain(service.list(caller, params as unknown as ListRequest))
    },
  },
  CancelTask: {
    request: 'TaskRequest',
    unary: async (service, params, { caller, signal }) =>
      plain(await service.cancel(caller, String(params.id), signal)),
  },
  SubscribeToTask: {
    request: 'TaskRequest',
    stream: (service, params, { caller, signal, after }) =>
      service.subscribe(caller, String(params.id), { signal, ...(after === undefined ? {} : { after }) }),
  },
  CreateTaskPushNotificationConfig: {
    request: 'CreatePushRequest',
    unary: (service, params, { caller, version }) => {
      requirePush(service)
      const runId = service.runOf(caller, String(params.taskId))
      return plain(service.push.put(runId, params as unknown as PushConfigRequest, version, service.lastSeq(runId)))
    },
  },
  GetTaskPushNotificationConfig: {
    request: 'PushRequest',
    unary: (service, params, { caller }) => {
      requirePush(service)
      return plain(service.push.get(service.runOf(caller, String(params.taskId)), String(params.id)))
    },
  },
  ListTaskPushNotificationConfigs: {
    request: 'ListPushRequest',
    unary: (service, params, { caller }) => {
      requirePush(service)
      return plain({ configs: service.push.list(service.runOf(caller, String(params.taskId))), nextPageToken: '' })
    },
  },
  DeleteTaskPushNotificationConfig: {
    request: 'PushRequest',
    unary: (service, params, { caller }) => {
      requirePush(service)
      service.push.remove(service.runOf(caller, String(params.taskId)), String(params.id))
      return {}
    },
  },
  GetExtendedAgentCard: {
    request: 'ExtendedCardRequest',
    unary: (_service, _params, frame) => frame.extendedCard(),
  },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS

/** The request of an operation, read as ProtoJSON. @throws A2AError `a2a-invalid-params` */
export const readRequest = (operation: Operation, params: Json | undefined): JsonObject =>
  readMessage(MESSAGES_1_0, operation.request, params ?? {})

function sendRequest(service: TaskService, params: JsonObject): SendRequest {
  const request = params as unknown as SendRequest
  notNegative(request.configuration?.historyLength, 'configuration.historyLength')
  if (request.configuration?.taskPushNotificationConfig !== undefined) requirePush(service)
  return request
}

const sendOptions = ({ version, signal, key }: CallFrame) => ({
  version,
  signal,
  ...(key === undefined ? {} : { key }),
})

function notNegative(value: unknown, field: string): void {
  if (value !== undefined && Number(value) < 0) throw invalid(field, 'must not be negative')
}

function requirePush(service: TaskService): void {
  if (!service.exposed.capabilities.pushNotifications)
    throw new A2AError('a2a-push-not-supported', 'This agent does not notify webhooks. Subscribe, or get the task.')
}

/** Wire objects are JSON by construction; their types have optional fields, which JSON's type cannot say. */
const plain = (value: object): Json => value as unknown as Json
