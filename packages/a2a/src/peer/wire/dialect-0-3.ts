import type { JsonObject } from '@tenon/kernel'
import type { Dialect, OutPart, SendWish } from './dialect.js'
import { readKindEvent } from './read-event.js'
import { readTask } from './read-fields.js'
import { READER_0_3 } from './reader-0-3.js'

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
  mediaType: 'application/json',
  methods: {
    send: 'message/send',
    stream: 'message/stream',
    get: 'tasks/get',
    subscribe: 'tasks/resubscribe',
    cancel: 'tasks/cancel',
  },
  sendParams,
  readEvent: (json) => readKindEvent(json, READER_0_3),
  readTask: (json) => readTask(json, READER_0_3),
}
