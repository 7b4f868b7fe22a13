import type { Json, JsonObject } from '@tenon/kernel'
import type { Era, EraMethod } from '../era.js'
import { ERA_0_3 } from './era-0-3.js'
import { protoSendParams, protoSetPushParams } from './from-proto.js'
import { protoEvent, protoPush, protoSent, protoTask } from './to-proto.js'

function changed(name: string, by: Partial<EraMethod>): [string, EraMethod] {
  const method = ERA_0_3.methods.get(name)
  if (method === undefined) throw new TypeError(`Version 0.3 has no ${name}.`)
  return [name, { ...method, ...by }]
}

const pushResult = (name: string): EraMethod['result'] => {
  const result = ERA_0_3.methods.get(name)?.result
  return (current, params) => protoPush(result?.(current, params) ?? {})
}

const listResult: EraMethod['result'] = (current, params) => {
  const all = ERA_0_3.methods.get('tasks/pushNotificationConfig/list')?.result(current, params)
  return { configs: (all as readonly Json[]).map(protoPush), nextPageToken: '' } as JsonObject
}

/**
 * A2A 0.3 over HTTP+JSON: the JSON of its protocol buffers, which is what the official SDKs speak. Requests in the form
 * of its JSON Schema are taken as well.
 */
export const ERA_0_3_HTTP: Era = {
  ...ERA_0_3,
  methods: new Map([
    ...ERA_0_3.methods,
    changed('message/send', { params: protoSendParams, result: protoSent }),
    changed('message/stream', { params: protoSendParams }),
    changed('tasks/get', { result: protoTask }),
    changed('tasks/cancel', { result: protoTask }),
    changed('tasks/pushNotificationConfig/set', {
      params: protoSetPushParams,
      result: pushResult('tasks/pushNotificationConfig/set'),
    }),
    changed('tasks/pushNotificationConfig/get', { result: pushResult('tasks/pushNotificationConfig/get') }),
    changed('tasks/pushNotificationConfig/list', { result: listResult }),
  ]),
  event: ({ event }) => protoEvent(event),
}
