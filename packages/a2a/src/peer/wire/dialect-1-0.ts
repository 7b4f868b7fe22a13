import type { JsonObject } from '@tenon/kernel'
import { runState } from '../../mapping/task-state.js'
import type { PeerPart } from '../peer-task.js'
import type { Dialect, Operation, SendWish } from './dialect.js'
import { readNamedEvent } from './read-event.js'
import { type FieldReader, fileFrame, readTask } from './read-fields.js'

const reader: FieldReader = {
  readState: (json) => (typeof json === 'string' ? runState(json) : undefined),
  readPart,
}

function readPart(json: JsonObject): PeerPart | undefined {
  const frame = fileFrame(json.mediaType, json.filename)
  if (typeof json.text === 'string') return { text: json.text, ...frame }
  if (typeof json.raw === 'string') return { raw: json.raw, ...frame }
  if (typeof json.url === 'string') return { url: json.url, ...frame }
  if (json.data !== undefined) return { data: json.data, ...frame }
  return undefined
}

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
  mediaType: 'application/a2a+json',
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
  readEvent: (json) => readNamedEvent(json, reader),
  readTask: (json) => readTask(json, reader),
}
