import type { Json, JsonObject } from '@tenon/kernel'
import { invalid } from '../../tasks/invalid-field.js'
import { readMessage } from '../proto-json.js'
import { MESSAGES_0_3 } from './message-table.js'

const read = (name: string, given: Json | undefined): JsonObject => readMessage(MESSAGES_0_3, name, given ?? {})

/** `message/send` and `message/stream` as a SendMessageRequest of 1.0. */
export function sendParams(given: Json | undefined): Json {
  const { message, configuration, metadata } = read('MessageSendParams', given) as {
    readonly message: JsonObject
    readonly configuration?: JsonObject
    readonly metadata?: JsonObject
  }
  const { blocking, pushNotificationConfig, ...rest } = configuration ?? {}
  return {
    message: {
      ...message,
      role: message.role === 'agent' ? 'ROLE_AGENT' : 'ROLE_USER',
      parts: (message.parts as readonly JsonObject[]).map(partParams),
    },
    configuration: {
      ...rest,
      ...(blocking === false ? { returnImmediately: true } : {}),
      ...(pushNotificationConfig === undefined
        ? {}
        : { taskPushNotificationConfig: pushParams(pushNotificationConfig as JsonObject) }),
    },
    ...(metadata === undefined ? {} : { metadata }),
  }
}

function partParams({ kind, text, file, data, metadata }: JsonObject): Json {
  const frame = metadata === undefined ? {} : { metadata }
  if (kind === 'text' && text !== undefined) return { text, ...frame }
  if (kind === 'data' && data !== undefined) return { data, ...frame }
  if (kind !== 'file' || file === undefined) throw invalid('message.parts', 'have a kind that is not their content')
  const { bytes, uri, name, mimeType } = file as JsonObject
  return {
    ...(bytes === undefined ? { url: uri ?? '' } : { raw: bytes }),
    ...(name === undefined ? {} : { filename: name }),
    ...(mimeType === undefined ? {} : { mediaType: mimeType }),
    ...frame,
  }
}

function pushParams({ authentication, ...rest }: JsonObject): JsonObject {
  if (authentication === undefined) return rest
  const { schemes, credentials } = authentication as {
    readonly schemes: readonly string[]
    readonly credentials?: string
  }
  return {
    ...rest,
    authentication: { scheme: schemes[0] ?? '', ...(credentials === undefined ? {} : { credentials }) },
  }
}

export const taskParams = (given: Json | undefined): Json => read('TaskQuery', given)

export function setPushParams(given: Json | undefined): Json {
  const { taskId = '', pushNotificationConfig } = read('SetPush', given)
  // One without an id has the task's own, and is found by it.
  return { taskId, id: taskId, ...pushParams(pushNotificationConfig as JsonObject) }
}

/** A query without the id of a configuration means the one that has the task's own id (0.3, section 7.6). */
export function pushQueryParams(given: Json | undefined): Json {
  const { id, pushNotificationConfigId } = read('PushQuery', given)
  return { taskId: id ?? '', id: pushNotificationConfigId ?? id ?? '' }
}

export const nothing = (given: Json | undefined): Json => read('Nothing', given)
