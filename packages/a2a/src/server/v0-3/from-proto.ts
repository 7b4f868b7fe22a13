import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { readMessage } from '../proto-json.js'
import { MESSAGES_0_3 } from './message-table.js'
import { sendParams, setPushParams } from './to-current.js'

/** `message:send` and `message:stream`, in either form, as a SendMessageRequest of 1.0. */
export function protoSendParams(given: Json | undefined): Json {
  const { message, request = message, ...more } = isJsonObject(given) ? given : {}
  if (!isJsonObject(request) || request.parts !== undefined) return sendParams(given)
  const {
    message: said,
    configuration,
    metadata,
  } = readMessage(MESSAGES_0_3, 'ProtoSend', { ...more, message: request }) as {
    readonly message: JsonObject
    readonly configuration?: JsonObject
    readonly metadata?: JsonObject
  }
  const { content, role, ...frame } = said
  return sendParams({
    message: {
      ...frame,
      role: role === 'ROLE_AGENT' ? 'agent' : 'user',
      parts: (content as readonly JsonObject[]).map(plainPart),
    },
    ...(configuration === undefined ? {} : { configuration: plainConfiguration(configuration) }),
    ...(metadata === undefined ? {} : { metadata }),
  })
}

function plainPart({ text, file, data, metadata }: JsonObject): JsonObject {
  const frame = metadata === undefined ? {} : { metadata }
  if (text !== undefined) return { kind: 'text', text, ...frame }
  if (data !== undefined) return { kind: 'data', data: (data as JsonObject).data ?? {}, ...frame }
  const { fileWithBytes, fileWithUri, mimeType, name } = file as JsonObject
  return {
    kind: 'file',
    file: {
      ...(fileWithBytes === undefined ? { uri: fileWithUri ?? '' } : { bytes: fileWithBytes }),
      ...(mimeType ? { mimeType } : {}),
      ...(name ? { name } : {}),
    },
    ...frame,
  }
}

/** What protocol buffers leave out is false and 0, and 0 stands for no wish about the history. */
function plainConfiguration({ pushNotification, blocking = false, historyLength, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    blocking,
    ...(historyLength ? { historyLength } : {}),
    ...(pushNotification === undefined ? {} : { pushNotificationConfig: pushNotification }),
  }
}

/** A webhook, as `{ pushNotificationConfig }` or within `config`. */
export function protoSetPushParams(given: Json | undefined): Json {
  const { config, ...rest } = isJsonObject(given) ? given : {}
  return setPushParams(isJsonObject(config) ? { ...rest, ...config } : given)
}
