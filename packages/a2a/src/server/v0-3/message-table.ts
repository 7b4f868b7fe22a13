import type { ProtoTable } from '../proto-json.js'

/** Requests of A2A 0.3.0 as its JSON Schema has them. */
export const MESSAGES_0_3: ProtoTable = {
  MessageSendParams: {
    message: { required: { message: 'Message' } },
    configuration: { message: 'Configuration' },
    metadata: 'struct',
  },
  Configuration: {
    acceptedOutputModes: { list: 'string' },
    historyLength: 'int32',
    blocking: 'bool',
    pushNotificationConfig: { message: 'PushConfig' },
  },
  Message: {
    messageId: { required: 'string' },
    contextId: 'string',
    taskId: 'string',
    role: { required: { choice: ['user', 'agent'] } },
    parts: { required: { list: { message: 'Part' } } },
    metadata: 'struct',
    extensions: { list: 'string' },
    referenceTaskIds: { list: 'string' },
  },
  Part: {
    kind: { required: { choice: ['text', 'file', 'data'] } },
    text: 'string',
    file: { message: 'File' },
    data: 'struct',
    metadata: 'struct',
    $oneof: { oneof: ['text', 'file', 'data'] },
  },
  File: { bytes: 'bytes', uri: 'string', name: 'string', mimeType: 'string', $oneof: { oneof: ['bytes', 'uri'] } },
  PushConfig: {
    id: 'string',
    url: { required: 'string' },
    token: 'string',
    authentication: { message: 'Authentication' },
  },
  Authentication: { schemes: { required: { list: 'string' } }, credentials: 'string' },
  // the same as protocol buffers have it
  ProtoSend: {
    message: { required: { message: 'ProtoMessage' } },
    configuration: { message: 'ProtoConfiguration' },
    metadata: 'struct',
  },
  ProtoConfiguration: {
    acceptedOutputModes: { list: 'string' },
    historyLength: 'int32',
    blocking: 'bool',
    pushNotification: { message: 'PushConfig' },
  },
  ProtoMessage: {
    messageId: { required: 'string' },
    contextId: 'string',
    taskId: 'string',
    role: { required: { choice: ['ROLE_USER', 'ROLE_AGENT'] } },
    content: { required: { list: { message: 'ProtoPart' } } },
    metadata: 'struct',
    extensions: { list: 'string' },
  },
  ProtoPart: {
    text: 'string',
    file: { message: 'ProtoFile' },
    data: { message: 'ProtoData' },
    metadata: 'struct',
    $oneof: { oneof: ['text', 'file', 'data'] },
  },
  ProtoFile: {
    fileWithBytes: 'bytes',
    fileWithUri: 'string',
    mimeType: 'string',
    name: 'string',
    $oneof: { oneof: ['fileWithBytes', 'fileWithUri'] },
  },
  ProtoData: { data: 'struct' },
  TaskQuery: { id: { required: 'string' }, historyLength: 'int32', metadata: 'struct' },
  SetPush: { taskId: { required: 'string' }, pushNotificationConfig: { required: { message: 'PushConfig' } } },
  PushQuery: { id: { required: 'string' }, pushNotificationConfigId: 'string', metadata: 'struct' },
  Nothing: {},
}
