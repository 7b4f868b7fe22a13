import { isJsonObject, type Json, type JsonObject, type RunStateName } from '@tenon/kernel'
import type { PeerEvent, PeerPart } from '../peer-task.js'
import type { Dialect, Operation, SendWish } from './dialect.js'
import { type FieldReader, readArtifact, readMessage, readStatus, readTask, spentIn, textOf } from './read-fields.js'

const STATES: Readonly<Record<string, RunStateName>> = {
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
  TASK_STATE_AUTH_REQUIRED: 'auth-required',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_REJECTED: 'rejected',
}

const reader: FieldReader = {
  readState: (json) => (typeof json === 'string' && Object.hasOwn(STATES, json) ? STATES[json] : undefined),
  readPart: readPart,
}

function readPart(json: JsonObject): PeerPart | undefined {
  const mediaType = textOf(json.mediaType)
  const filename = textOf(json.filename)
  const about = {
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(filename === undefined ? {} : { filename }),
  }
  if (typeof json.text === 'string') return { text: json.text, ...about }
  if (typeof json.raw === 'string') return { raw: json.raw, ...about }
  if (typeof json.url === 'string') return { url: json.url, ...about }
  if (json.data !== undefined) return { data: json.data, ...about }
  return undefined
}

function readEvent(json: Json): PeerEvent | undefined {
  if (!isJsonObject(json)) return undefined
  const { statusUpdate, artifactUpdate } = json
  const task = readTask(json.task, reader)
  if (task !== undefined) return { kind: 'task', task }
  const message = readMessage(json.message, reader)
  if (message !== undefined) return { kind: 'message', message }
  if (isJsonObject(statusUpdate)) {
    const status = readStatus(statusUpdate.status, reader)
    if (status !== undefined) return { kind: 'status', ...placeOf(statusUpdate), status, ...spentIn(statusUpdate) }
  }
  if (isJsonObject(artifactUpdate)) {
    const artifact = readArtifact(artifactUpdate.artifact, reader)
    if (artifact !== undefined)
      return { kind: 'artifact', ...placeOf(artifactUpdate), artifact, append: artifactUpdate.append === true }
  }
  return undefined
}

const placeOf = (json: JsonObject): { taskId: string; contextId: string } => ({
  taskId: textOf(json.taskId) ?? '',
  contextId: textOf(json.contextId) ?? '',
})

function sendParams({ message, push, tenant }: SendWish): JsonObject {
  return {
    ...(tenant === undefined ? {} : { tenant }),
    message: { ...message, role: 'ROLE_USER' },
    configuration: {
      returnImmediately: true,
      ...(push === undefined ? {} : { taskPushNotificationConfig: { url: push.url, token: push.token } }),
    },
  } as JsonObject
}

function path(operation: Operation, taskId: string | undefined, tenant: string | undefined) {
  const below = tenant === undefined ? '' : `/${encodeURIComponent(tenant)}`
  const task = `${below}/tasks/${encodeURIComponent(taskId ?? '')}`
  switch (operation) {
    case 'send':
      return { method: 'POST', path: `${below}/message:send` } as const
    case 'stream':
      return { method: 'POST', path: `${below}/message:stream` } as const
    case 'get':
      return { method: 'GET', path: task } as const
    case 'subscribe':
      return { method: 'POST', path: `${task}:subscribe` } as const
    case 'cancel':
      return { method: 'POST', path: `${task}:cancel` } as const
    case 'list':
      return { method: 'GET', path: `${below}/tasks` } as const
  }
}

/** A2A 1.0: enums as names, one content field in a part, results under the name of their kind. */
export const DIALECT_1_0: Dialect = {
  version: '1.0',
  versionHeader: { 'a2a-version': '1.0' },
  extensionsHeader: 'a2a-extensions',
  methods: {
    send: 'SendMessage',
    stream: 'SendStreamingMessage',
    get: 'GetTask',
    subscribe: 'SubscribeToTask',
    cancel: 'CancelTask',
    list: 'ListTasks',
  },
  path,
  sendParams,
  readEvent,
  readTask: (json) => readTask(json, reader),
}
