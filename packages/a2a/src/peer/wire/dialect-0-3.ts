import { isJsonObject, type Json, type JsonObject, type RunStateName } from '@tenon/kernel'
import type { PeerEvent, PeerPart } from '../peer-task.js'
import type { Dialect, OutPart, SendWish } from './dialect.js'
import { type FieldReader, readArtifact, readMessage, readStatus, readTask, spentIn, textOf } from './read-fields.js'

/** `unknown` is what a server says that lost track of its task: not ended, so it is looked at again. */
const STATES: Readonly<Record<string, RunStateName>> = {
  submitted: 'submitted',
  working: 'working',
  'input-required': 'input-required',
  'auth-required': 'auth-required',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
  rejected: 'rejected',
  unknown: 'working',
}

const reader: FieldReader = {
  readState: (json) => (typeof json === 'string' && Object.hasOwn(STATES, json) ? STATES[json] : undefined),
  readPart,
}

function readPart(json: JsonObject): PeerPart | undefined {
  if (typeof json.text === 'string') return { text: json.text }
  if (json.kind === 'data' && json.data !== undefined) return { data: json.data }
  if (!isJsonObject(json.file)) return undefined
  const { file } = json
  const mediaType = textOf(file.mimeType)
  const filename = textOf(file.name)
  const about = {
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(filename === undefined ? {} : { filename }),
  }
  if (typeof file.bytes === 'string') return { raw: file.bytes, ...about }
  return typeof file.uri === 'string' ? { url: file.uri, ...about } : undefined
}

function readEvent(json: Json): PeerEvent | undefined {
  if (!isJsonObject(json)) return undefined
  const taskId = textOf(json.taskId) ?? ''
  const contextId = textOf(json.contextId) ?? ''
  switch (json.kind) {
    case 'task': {
      const task = readTask(json, reader)
      return task && { kind: 'task', task }
    }
    case 'message': {
      const message = readMessage(json, reader)
      return message && { kind: 'message', message }
    }
    case 'status-update': {
      const status = readStatus(json.status, reader)
      return status && { kind: 'status', taskId, contextId, status, ...spentIn(json) }
    }
    case 'artifact-update': {
      const artifact = readArtifact(json.artifact, reader)
      return artifact && { kind: 'artifact', taskId, contextId, artifact, append: json.append === true }
    }
    default:
      return undefined
  }
}

function writePart(part: OutPart): JsonObject {
  if (part.text !== undefined) return { kind: 'text', text: part.text }
  if (part.data !== undefined) return { kind: 'data', data: part.data }
  return {
    kind: 'file',
    file: {
      ...(part.filename === undefined ? {} : { name: part.filename }),
      ...(part.mediaType === undefined ? {} : { mimeType: part.mediaType }),
      ...(part.raw === undefined ? { uri: part.url ?? '' } : { bytes: part.raw }),
    },
  }
}

function sendParams({ message, push }: SendWish): JsonObject {
  const { parts, ...rest } = message
  return {
    message: { ...rest, kind: 'message', role: 'user', parts: parts.map(writePart) },
    configuration: {
      blocking: false,
      ...(push === undefined ? {} : { pushNotificationConfig: { url: push.url, token: push.token } }),
    },
  } as JsonObject
}

/** A2A 0.3: `kind` in every object, enums in lower case, JSON-RPC. It has no list of tasks. */
export const DIALECT_0_3: Dialect = {
  version: '0.3',
  versionHeader: { 'a2a-version': '0.3' },
  extensionsHeader: 'x-a2a-extensions',
  methods: {
    send: 'message/send',
    stream: 'message/stream',
    get: 'tasks/get',
    subscribe: 'tasks/resubscribe',
    cancel: 'tasks/cancel',
  },
  sendParams,
  readEvent,
  readTask: (json) => readTask(json, reader),
}
