import type { Json, JsonObject } from '@tenon/kernel'

export type RestRoute = {
  /** The method of its era. */
  readonly method: string
  /** Parameters from the path; they win over the body's. */
  readonly path: JsonObject
  /** The parameters are in the query. */
  readonly isQuery: boolean
}

type Pattern = {
  readonly verbs: readonly string[]
  readonly path: RegExp
  readonly method: string
  readonly names: readonly string[]
}

const ID = '([^/:]+)'

/** `verb` may name several. */
const pattern = (verb: string, path: string, method: string, ...names: readonly string[]): Pattern => ({
  verbs: verb.split('|'),
  path: new RegExp(`^${path.replaceAll('{}', ID)}$`),
  method,
  names,
})

const ROUTES_1_0: readonly Pattern[] = [
  pattern('POST', '/message:send', 'SendMessage'),
  pattern('POST', '/message:stream', 'SendStreamingMessage'),
  pattern('GET', '/tasks', 'ListTasks'),
  pattern('GET', '/tasks/{}', 'GetTask', 'id'),
  pattern('POST', '/tasks/{}:cancel', 'CancelTask', 'id'),
  pattern('POST|GET', '/tasks/{}:subscribe', 'SubscribeToTask', 'id'),
  pattern('POST', '/tasks/{}/pushNotificationConfigs', 'CreateTaskPushNotificationConfig', 'taskId'),
  pattern('GET', '/tasks/{}/pushNotificationConfigs', 'ListTaskPushNotificationConfigs', 'taskId'),
  pattern('GET', '/tasks/{}/pushNotificationConfigs/{}', 'GetTaskPushNotificationConfig', 'taskId', 'id'),
  pattern('DELETE', '/tasks/{}/pushNotificationConfigs/{}', 'DeleteTaskPushNotificationConfig', 'taskId', 'id'),
  pattern('GET', '/extendedAgentCard', 'GetExtendedAgentCard'),
]

const ROUTES_0_3: readonly Pattern[] = [
  pattern('POST', '/v1/message:send', 'message/send'),
  pattern('POST', '/v1/message:stream', 'message/stream'),
  pattern('GET', '/v1/tasks/{}', 'tasks/get', 'id'),
  pattern('POST', '/v1/tasks/{}:cancel', 'tasks/cancel', 'id'),
  pattern('POST|GET', '/v1/tasks/{}:subscribe', 'tasks/resubscribe', 'id'),
  pattern('POST', '/v1/tasks/{}/pushNotificationConfigs', 'tasks/pushNotificationConfig/set', 'taskId'),
  pattern('GET', '/v1/tasks/{}/pushNotificationConfigs', 'tasks/pushNotificationConfig/list', 'id'),
  pattern(
    'GET',
    '/v1/tasks/{}/pushNotificationConfigs/{}',
    'tasks/pushNotificationConfig/get',
    'id',
    'pushNotificationConfigId',
  ),
  pattern(
    'DELETE',
    '/v1/tasks/{}/pushNotificationConfigs/{}',
    'tasks/pushNotificationConfig/delete',
    'id',
    'pushNotificationConfigId',
  ),
  pattern('GET', '/v1/card', 'agent/getAuthenticatedExtendedCard'),
]

/** `other-verb`: there is such a path, for another HTTP method. */
export function restRoute(version: '1.0' | '0.3', verb: string, path: string): RestRoute | 'other-verb' | undefined {
  let isPath = false
  for (const { verbs, path: form, method, names } of version === '1.0' ? ROUTES_1_0 : ROUTES_0_3) {
    const found = form.exec(path)
    if (found === null) continue
    isPath = true
    if (!verbs.includes(verb)) continue
    const values = names.map((name, index): [string, string] => [name, decoded(found[index + 1] ?? '')])
    return { method, path: Object.fromEntries(values), isQuery: verb !== 'POST' }
  }
  return isPath ? 'other-verb' : undefined
}

/** Parameters of a query as ProtoJSON would have them: booleans are words there, and repeated names are lists. */
export function queryParams(query: URLSearchParams): JsonObject {
  const params: Record<string, Json> = {}
  for (const [name, value] of query) {
    if (name.toLowerCase() === 'a2a-version') continue
    params[name] = value === 'true' ? true : value === 'false' ? false : value
  }
  return params
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
