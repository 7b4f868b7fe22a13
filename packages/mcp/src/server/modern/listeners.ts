import { isJsonObject, type JsonObject } from '@tenon/kernel'
import { rpcError } from '../../errors.js'
import type { JsonRpcId } from '../../upstream/json-rpc.js'
import { notificationText, RPC } from '../rpc-reply.js'
import type { Caller, ChangeFilter, McpService, ServiceChange, ServiceInfo } from '../service.js'
import { META } from './envelope.js'

/** One open `subscriptions/listen`. `stop` ends it from our side, with the result that says so. */
export type Listener = { readonly stop: () => void }

export type ListenRequest = {
  readonly id: JsonRpcId
  readonly params: JsonObject
  readonly caller: Caller
  readonly info: ServiceInfo
  readonly send: (text: string) => void
  /** Called with the final result when nothing more will come. */
  readonly ended: (result: JsonObject) => void
}

/** The open subscriptions of an endpoint, bounded. */
export class Listeners {
  readonly #service: McpService
  readonly #max: number
  readonly #open = new Set<Listener>()

  constructor(service: McpService, max: number) {
    this.#service = service
    this.#max = max
  }

  get size(): number {
    return this.#open.size
  }

  /** @throws McpError `mcp-rpc-error` when the filter is no filter or too many are open */
  listen({ id, params, caller, info, send, ended }: ListenRequest): Listener {
    if (!isJsonObject(params.notifications))
      throw rpcError(RPC.invalidParams, 'params.notifications must say what is listened for.')
    if (this.#open.size >= this.#max) throw rpcError(RPC.server, 'Too many subscriptions are open. Try again later.')
    const honored = honoredFilter(params.notifications, info.capabilities)
    const stamp = { [META.subscriptionId]: id }
    const tell = (method: string, more: JsonObject): void => {
      const meta = isJsonObject(more._meta) ? more._meta : {}
      send(notificationText(method, { ...more, _meta: { ...meta, ...stamp } }))
    }
    tell('notifications/subscriptions/acknowledged', { notifications: honored })
    const filter = changeFilter(honored)
    const follower = this.#service.follow(
      caller,
      () => filter,
      (change) => tellChange(change, filter, honored, tell),
    )
    const listener: Listener = {
      stop: () => {
        if (!this.#open.delete(listener)) return
        follower.stop()
        ended({ resultType: 'complete', _meta: { ...stamp, [META.serverInfo]: info.serverInfo } })
      },
    }
    this.#open.add(listener)
    if (Object.keys(honored).length === 0) listener.stop()
    return listener
  }

  close(): void {
    for (const listener of [...this.#open]) listener.stop()
  }
}

/** What was asked for and can be had. Unknown kinds of an extension are kept when the service follows them. */
function honoredFilter(wanted: JsonObject, capabilities: JsonObject): JsonObject {
  const can = (area: string, what: string): boolean => {
    const capability = capabilities[area]
    return isJsonObject(capability) && capability[what] === true
  }
  const uris = Array.isArray(wanted.resourceSubscriptions)
    ? wanted.resourceSubscriptions.filter((uri) => typeof uri === 'string')
    : []
  const tasks = Array.isArray(wanted.taskIds) ? wanted.taskIds.filter((task) => typeof task === 'string') : []
  return {
    ...(wanted.toolsListChanged === true && can('tools', 'listChanged') ? { toolsListChanged: true } : {}),
    ...(wanted.promptsListChanged === true && can('prompts', 'listChanged') ? { promptsListChanged: true } : {}),
    ...(wanted.resourcesListChanged === true && can('resources', 'listChanged') ? { resourcesListChanged: true } : {}),
    ...(uris.length > 0 && can('resources', 'subscribe') ? { resourceSubscriptions: uris } : {}),
    ...(tasks.length > 0 && isJsonObject(capabilities.extensions) ? { taskIds: tasks } : {}),
  }
}

const changeFilter = (honored: JsonObject): ChangeFilter => ({
  tools: honored.toolsListChanged === true,
  prompts: honored.promptsListChanged === true,
  resources: honored.resourcesListChanged === true,
  uris: new Set(Array.isArray(honored.resourceSubscriptions) ? honored.resourceSubscriptions.map(String) : []),
})

function tellChange(
  change: ServiceChange,
  filter: ChangeFilter,
  honored: JsonObject,
  tell: (method: string, params: JsonObject) => void,
): void {
  switch (change.kind) {
    case 'tools':
    case 'prompts':
    case 'resources':
      if (filter[change.kind]) tell(`notifications/${change.kind}/list_changed`, change.params ?? {})
      return
    case 'resource':
      if (filter.uris.has(change.uri)) tell('notifications/resources/updated', { ...change.params, uri: change.uri })
      return
    case 'other': {
      const tasks = Array.isArray(honored.taskIds) ? honored.taskIds : []
      if (typeof change.params.taskId === 'string' && tasks.includes(change.params.taskId))
        tell(change.method, change.params)
      return
    }
    case 'log':
      // Log messages of a modern server belong to requests only.
      return
  }
}
