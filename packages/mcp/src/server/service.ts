import type { JsonObject } from '@tenon/kernel'
import type { LogLevel } from '../upstream/log-level.js'
import type { EraName, Progress } from '../upstream/upstream.js'

/** Who a request comes from, as far as the endpoint knows it by itself. */
export type Caller = {
  /** Whose request it is: what an access token proved, or the one user of a local pipe. */
  readonly principal: string
  readonly era: EraName
  /** Set in the legacy era: one client's connection. */
  readonly session?: string
  /** What the client says of itself; not trusted. */
  readonly clientInfo: JsonObject
  readonly capabilities: JsonObject
}

/** One request of a client, told without its era and transport. */
export type ServedCall = {
  readonly method: string
  /** As the client sent them, without what belongs to the era's envelope. */
  readonly params: JsonObject
  /** What the client put into `_meta` besides the envelope: trace context, extensions. */
  readonly meta: JsonObject
  readonly caller: Caller
  /** Aborted when the client cancels or leaves for good. */
  readonly signal: AbortSignal
  /** Present when the client comes back with what `input_required` asked for. */
  readonly inputResponses?: JsonObject
  /** The service's own token, opened and checked: never what a client made up. */
  readonly requestState?: string
  /** Undefined when the client does not want to hear of it. */
  readonly progress?: (progress: Progress) => void
  /** The least level of messages that the client wants to hear of; undefined for none. */
  readonly logLevel: LogLevel | undefined
  /** Reaches the client if it wants messages of this level. */
  log(level: LogLevel, data: JsonObject[string], logger?: string): void
  /**
   * Asks the client something while the call is open: `elicitation/create`, `sampling/createMessage`, `roots/list`.
   * A legacy client is asked on its session; a modern one gets `input_required`, and the promise waits until it comes
   * back. Rejects with the JSON-RPC error `-32021` where the client has not declared that it can be asked.
   */
  ask(method: string, params: JsonObject, signal?: AbortSignal): Promise<JsonObject>
}

export type ServiceInfo = {
  readonly serverInfo: JsonObject
  readonly capabilities: JsonObject
  readonly instructions?: string
}

/** What a client wants to hear of. */
export type ChangeFilter = {
  readonly tools: boolean
  readonly prompts: boolean
  readonly resources: boolean
  readonly uris: ReadonlySet<string>
}

export type ServiceChange =
  | { readonly kind: 'tools' | 'prompts' | 'resources'; readonly params?: JsonObject }
  | { readonly kind: 'resource'; readonly uri: string; readonly params?: JsonObject }
  /** A message that belongs to no call; sent to legacy sessions that want its level. */
  | { readonly kind: 'log'; readonly params: JsonObject }
  /** Anything else that clients of an extension listen for. */
  | { readonly kind: 'other'; readonly method: string; readonly params: JsonObject }

/**
 * What an endpoint serves, whatever era and transport a client comes by. Results are those of the modern era:
 * `resultType` `input_required` and `task` are understood, its absence means `complete`.
 */
export interface McpService {
  info(caller: Caller): ServiceInfo | Promise<ServiceInfo>
  /** Rejects with an `McpError`; `rpcError` gives a JSON-RPC code of its own. */
  request(call: ServedCall): Promise<JsonObject>
  /** The input schema of a tool, where it is at hand: some arguments have to be repeated in headers. */
  toolSchema?(caller: Caller, name: string): JsonObject | undefined
  /** A client's notification that the endpoint does not handle by itself, such as `notifications/roots/list_changed`. */
  notified?(caller: Caller, method: string, params: JsonObject): void
  /**
   * Tells of changes until the returned function is called. `wanted` is looked at for each change, so that it may
   * grow; `onWanted` says that it has.
   */
  follow(caller: Caller, wanted: () => ChangeFilter, onChange: (change: ServiceChange) => void): Follower
  /** A legacy client has chosen the least level of messages that it is sent. */
  levelChosen?(caller: Caller, level: LogLevel): void
  /** A legacy session has ended: what was kept for it may go. */
  ended?(caller: Caller): void
}

export type Follower = { readonly changed: () => void; readonly stop: () => void }
