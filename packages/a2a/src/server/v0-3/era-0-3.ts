import type { Json } from '@tenon/kernel'
import type { WireTask } from '../../mapping/wire-types.js'
import type { Era, EraMethod } from '../era.js'
import { event03, push03, sent03, task03 } from './from-current.js'
import { nothing, pushQueryParams, sendParams, setPushParams, taskParams } from './to-current.js'

const task = (current: Json): Json => task03(current as unknown as WireTask)
const never = (): Json => null

const METHODS: Readonly<Record<string, EraMethod>> = {
  'message/send': { operation: 'SendMessage', params: sendParams, result: sent03 },
  'message/stream': { operation: 'SendStreamingMessage', params: sendParams, result: never },
  'tasks/get': { operation: 'GetTask', params: taskParams, result: task },
  'tasks/cancel': { operation: 'CancelTask', params: taskParams, result: task },
  'tasks/resubscribe': { operation: 'SubscribeToTask', params: taskParams, result: never },
  'tasks/pushNotificationConfig/set': {
    operation: 'CreateTaskPushNotificationConfig',
    params: setPushParams,
    result: push03,
  },
  'tasks/pushNotificationConfig/get': {
    operation: 'GetTaskPushNotificationConfig',
    params: pushQueryParams,
    result: push03,
  },
  'tasks/pushNotificationConfig/list': {
    operation: 'ListTaskPushNotificationConfigs',
    params: (given) => {
      const { taskId } = pushQueryParams(given) as { readonly taskId: string }
      return { taskId }
    },
    result: (current) => (current as unknown as { readonly configs: readonly Json[] }).configs.map(push03),
  },
  'tasks/pushNotificationConfig/delete': {
    operation: 'DeleteTaskPushNotificationConfig',
    params: pushQueryParams,
    result: never,
  },
  'agent/getAuthenticatedExtendedCard': { operation: 'GetExtendedAgentCard', params: nothing, result: (card) => card },
}

/** A2A 0.3: other names and shapes for the same operations. It has no list of tasks. */
export const ERA_0_3: Era = {
  version: '0.3',
  methods: new Map(Object.entries(METHODS)),
  event: ({ event }) => event03(event),
  extensionsHeader: 'x-a2a-extensions',
}
