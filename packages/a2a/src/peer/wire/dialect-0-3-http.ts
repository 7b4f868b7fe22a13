import type { JsonObject } from '@tenon/kernel'
import type { Dialect, Operation, OutPart, SendWish } from './dialect.js'
import { DIALECT_0_3 } from './dialect-0-3.js'
import { readKindEvent, readNamedEvent } from './read-event.js'
import { READER_0_3 } from './reader-0-3.js'

function writePart({ text, data, raw, url, mediaType, filename }: OutPart): JsonObject {
  if (text !== undefined) return { text }
  if (data !== undefined) return { data: { data } }
  return {
    file: {
      ...(raw === undefined ? { fileWithUri: url ?? '' } : { fileWithBytes: raw }),
      ...(mediaType === undefined ? {} : { mimeType: mediaType }),
      ...(filename === undefined ? {} : { name: filename }),
    },
  }
}

function sendParams({ message, push }: SendWish): JsonObject {
  const { parts, ...rest } = message
  return {
    message: { ...rest, role: 'ROLE_USER', content: parts.map(writePart) },
    configuration: {
      blocking: false,
      ...(push === undefined ? {} : { pushNotification: { url: push.url, token: push.token } }),
    },
  } as JsonObject
}

function path(operation: Operation, taskId: string | undefined): ReturnType<NonNullable<Dialect['path']>> {
  const task = `/v1/tasks/${encodeURIComponent(taskId ?? '')}`
  switch (operation) {
    case 'send':
      return { method: 'POST', path: '/v1/message:send' }
    case 'stream':
      return { method: 'POST', path: '/v1/message:stream' }
    case 'get':
      return { method: 'GET', path: task }
    case 'subscribe':
      return { method: 'GET', path: `${task}:subscribe` }
    case 'cancel':
      return { method: 'POST', path: `${task}:cancel` }
    default:
      return undefined
  }
}

/**
 * A2A 0.3 over HTTP+JSON: the JSON of its protocol buffers, as the official SDKs have it. What a server answers by the
 * letter of the JSON Schema is read as well.
 */
export const DIALECT_0_3_HTTP: Dialect = {
  ...DIALECT_0_3,
  mediaType: 'application/json',
  path,
  sendParams,
  readEvent: (json) => readNamedEvent(json, READER_0_3) ?? readKindEvent(json, READER_0_3),
}
