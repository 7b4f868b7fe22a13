import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import type { ListKind } from '../catalogue/list-pages.js'
import { McpError, rpcError } from '../errors.js'
import { matchesName } from '../host/matches-name.js'
import { RPC } from '../server/rpc-reply.js'
import type { Caller, ServedCall, ServiceChange, ServiceInfo } from '../server/service.js'
import { BRIDGE_DEFAULTS, type BridgeOptions } from './bridge-options.js'
import { BridgedServer } from './bridged-server.js'
import { FederatedNames } from './federated-names.js'
import { ownKey } from './own-upstreams.js'

export const LISTS: Readonly<Record<string, { readonly kind: ListKind; readonly field: string }>> = {
  'tools/list': { kind: 'tools', field: 'tools' },
  'prompts/list': { kind: 'prompts', field: 'prompts' },
  'resources/list': { kind: 'resources', field: 'resources' },
  'resources/templates/list': { kind: 'templates', field: 'resourceTemplates' },
}

/** A task of a server among several is called by both, so that it is found again after a restart too. */
const TASK_MARK = '~'

export type Routed = { readonly server: BridgedServer; readonly params: JsonObject; readonly name?: string }

/** All upstreams of one user, as one server. A server that is slow or dead is left out until it is there. */
export class Federation {
  readonly servers: readonly BridgedServer[]
  readonly #options: BridgeOptions
  readonly #tools = new FederatedNames()
  readonly #prompts = new FederatedNames()
  readonly #patientUntil: number
  used = Date.now()

  constructor(options: BridgeOptions, onChange: (change: ServiceChange, whose: (caller: Caller) => boolean) => void) {
    this.#options = options
    this.#patientUntil = Date.now() + (options.startPatienceMs ?? BRIDGE_DEFAULTS.startPatienceMs)
    this.servers = options.servers.map(
      (config) =>
        new BridgedServer(config, options, (event, key) => {
          const whose = (caller: Caller): boolean => this.#hears(config.name, caller, key)
          if (event.kind === 'notification') for (const change of changesOf(event)) onChange(change, whose)
          // What comes late, or back, has something that was not listed before.
          if (event.kind === 'stale' || (event.kind === 'opened' && (event.again || this.#isLate(key))))
            for (const kind of ['tools', 'prompts', 'resources'] as const) onChange({ kind }, whose)
        }),
    )
    for (const server of this.servers) void server.start().catch(() => undefined)
  }

  /** With one upstream what it says of itself, with several what all of them can. */
  async info(): Promise<ServiceInfo> {
    const { serverInfo, instructions } = this.#options
    const [only] = this.servers
    if (this.servers.length === 1 && only !== undefined) {
      const upstream = await only.start()
      return {
        serverInfo,
        capabilities: upstream.capabilities,
        ...(instructions === undefined
          ? upstream.instructions === undefined
            ? {}
            : { instructions: upstream.instructions }
          : { instructions }),
      }
    }
    await this.#patience()
    const extensions: Record<string, Json> = {}
    for (const { info } of this.servers)
      if (isJsonObject(info?.capabilities.extensions)) Object.assign(extensions, info.capabilities.extensions)
    return {
      serverInfo,
      // A server that is not there yet may bring any of these.
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
        ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
      },
      ...(instructions === undefined ? {} : { instructions }),
    }
  }

  /** The lists of all servers that are there, under the names that they have here. */
  async list(kind: ListKind, caller: Caller): Promise<readonly Json[]> {
    const [only] = this.servers
    if (this.servers.length === 1 && only !== undefined) return this.#visible(only, kind, await only.list(kind, caller))
    const lists = await Promise.all(this.servers.map(async (server) => this.#listIfThere(server, kind, caller)))
    return lists.flatMap((items, at) => this.#renamed(this.servers[at] as BridgedServer, kind, items))
  }

  /** The server that a request is for, and the request as that server knows it. */
  async route(call: ServedCall): Promise<Routed> {
    const { method, params, caller } = call
    const [only] = this.servers
    if (this.servers.length === 1 && only !== undefined)
      return { server: only, params, ...(typeof params.name === 'string' ? { name: params.name } : {}) }
    switch (method) {
      case 'tools/call':
        return this.#byName(this.#tools, 'tools', 'tool', params, caller)
      case 'prompts/get':
        return this.#byName(this.#prompts, 'prompts', 'prompt', params, caller)
      case 'resources/read':
        return { server: await this.#ofResource(String(params.uri), caller), params }
      case 'completion/complete':
        return this.#ofCompletion(params, caller)
      case 'tasks/get':
      case 'tasks/update':
      case 'tasks/cancel':
        return this.#ofTask(params)
      default:
        throw rpcError(RPC.methodNotFound, `There is no method ${method}.`)
    }
  }

  /** As it was last listed. */
  toolSchema(given: string): JsonObject | undefined {
    const [only] = this.servers
    const origin = this.servers.length === 1 && only ? { server: only.name, name: given } : this.#tools.originOf(given)
    return origin && this.find(origin.server)?.catalogue.tools.find(({ name }) => name === origin.name)?.input
  }

  /** A result as it is known here: the ids of tasks carry their server. */
  taken(server: BridgedServer, result: JsonObject): JsonObject {
    if (this.servers.length === 1 || result.resultType !== 'task' || typeof result.taskId !== 'string') return result
    return { ...result, taskId: `${server.name}${TASK_MARK}${result.taskId}` }
  }

  find(name: string): BridgedServer | undefined {
    return this.servers.find((server) => server.name === name)
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()))
  }

  /** A client with a connection of its own hears of that one, everybody else of the shared one. */
  #hears(name: string, caller: Caller, key: string | undefined): boolean {
    const own = this.find(name)?.info?.era === 'legacy' ? ownKey(caller) : undefined
    return own === key
  }

  #isLate(key: string | undefined): boolean {
    return key === undefined && Date.now() > this.#patientUntil
  }

  /** Waits for those that are starting, as long as the start may take. */
  async #patience(): Promise<void> {
    const left = this.#patientUntil - Date.now()
    if (left > 0) await within(Promise.allSettled(this.servers.map((server) => server.start())), left)
  }

  async #listIfThere(server: BridgedServer, kind: ListKind, caller: Caller): Promise<readonly Json[]> {
    const listing = server.list(kind, caller).catch(() => [])
    if (server.info !== undefined) return listing
    const left = this.#patientUntil - Date.now()
    return left > 0 ? ((await within(listing, left)) ?? []) : []
  }

  #visible(server: BridgedServer, kind: ListKind, items: readonly Json[]): readonly Json[] {
    if (kind !== 'tools') return items
    const hidden = this.#options.servers.find(({ name }) => name === server.name)?.hidden ?? []
    return items.filter((item) => {
      const name = isJsonObject(item) ? String(item.name) : ''
      return !matchesName(hidden, name) && this.#options.policy?.(server.name, name) !== 'deny'
    })
  }

  #renamed(server: BridgedServer, kind: ListKind, items: readonly Json[]): readonly Json[] {
    const visible = this.#visible(server, kind, items)
    const names = kind === 'tools' ? this.#tools : kind === 'prompts' ? this.#prompts : undefined
    if (names === undefined) return visible
    return visible.map((item) => {
      if (!isJsonObject(item) || typeof item.name !== 'string') return item
      const given = names.nameOf(server.name, item.name)
      return given === item.name ? item : { ...item, name: given, title: item.title ?? item.name }
    })
  }

  async #byName(
    names: FederatedNames,
    kind: ListKind,
    what: string,
    params: JsonObject,
    caller: Caller,
  ): Promise<Routed> {
    const given = String(params.name)
    // A client may know a name from a list that it was given before this process began.
    if (names.originOf(given) === undefined) await this.list(kind, caller)
    const origin = names.originOf(given)
    const server = origin === undefined ? undefined : this.find(origin.server)
    if (origin === undefined || server === undefined) throw rpcError(RPC.invalidParams, `There is no ${what} ${given}.`)
    return { server, params: { ...params, name: origin.name }, name: origin.name }
  }

  async #ofResource(uri: string, caller: Caller): Promise<BridgedServer> {
    await Promise.all([this.list('resources', caller), this.list('templates', caller)])
    const listed = this.servers.find((server) =>
      server
        .viewOf(caller)
        .catalogue.held('resources')
        .some((item) => isJsonObject(item) && item.uri === uri),
    )
    if (listed !== undefined) return listed
    const scheme = uri.slice(0, uri.indexOf(':') + 1)
    const templated = this.servers.find((server) =>
      server.catalogue
        .held('templates')
        .some((item) => isJsonObject(item) && fitsTemplate(String(item.uriTemplate), uri)),
    )
    const likely = templated ?? this.servers.find((server) => ownsScheme(server, scheme, caller))
    if (likely === undefined) throw rpcError(RPC.invalidParams, `There is no resource ${uri}.`, { uri })
    return likely
  }

  async #ofCompletion(params: JsonObject, caller: Caller): Promise<Routed> {
    const { ref } = params
    if (isJsonObject(ref) && ref.type === 'ref/prompt') {
      const { server, params: renamed } = await this.#byName(this.#prompts, 'prompts', 'prompt', ref, caller)
      return { server, params: { ...params, ref: renamed } }
    }
    const uri = isJsonObject(ref) ? String(ref.uri) : ''
    return { server: await this.#ofResource(uri, caller), params }
  }

  #ofTask(params: JsonObject): Routed {
    const id = String(params.taskId)
    const at = id.indexOf(TASK_MARK)
    const server = this.find(id.slice(0, at))
    if (at < 0 || server === undefined) throw rpcError(RPC.invalidParams, `There is no task ${id}.`)
    return { server, params: { ...params, taskId: id.slice(at + 1) } }
  }
}

function changesOf({
  method,
  params,
}: {
  readonly method: string
  readonly params: JsonObject
}): readonly ServiceChange[] {
  switch (method) {
    case 'notifications/tools/list_changed':
      return [{ kind: 'tools' }]
    case 'notifications/prompts/list_changed':
      return [{ kind: 'prompts' }]
    case 'notifications/resources/list_changed':
      return [{ kind: 'resources' }]
    case 'notifications/resources/updated':
      return typeof params.uri === 'string' ? [{ kind: 'resource', uri: params.uri }] : []
    case 'notifications/message':
      return [{ kind: 'log', params }]
    default:
      return [{ kind: 'other', method, params }]
  }
}

/** Good enough to tell whose a resource is; the server itself reads the template. */
function fitsTemplate(template: string, uri: string): boolean {
  const source = template
    .split(/\{[^}]*\}/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${source}$`, 's').test(uri)
}

const ownsScheme = (server: BridgedServer, scheme: string, caller: Caller): boolean =>
  (['resources', 'templates'] as const)
    .flatMap((kind) => server.viewOf(caller).catalogue.held(kind))
    .some((item) => isJsonObject(item) && String(item.uri ?? item.uriTemplate).startsWith(scheme))

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

export const bridgeClosed = (): McpError => new McpError('mcp-closed', 'The bridge is closing.')
