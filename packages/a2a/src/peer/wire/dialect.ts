import type { Json, JsonObject } from '@tenon/kernel'
import type { PeerEvent, PeerTask } from '../peer-task.js'

export type Operation = 'send' | 'stream' | 'get' | 'subscribe' | 'cancel' | 'list'

/** A part that we send. */
export type OutPart = {
  readonly text?: string
  readonly raw?: string
  readonly url?: string
  readonly data?: Json
  readonly mediaType?: string
  readonly filename?: string
}

export type OutMessage = {
  readonly messageId: string
  readonly parts: readonly OutPart[]
  readonly taskId?: string
  readonly contextId?: string
  readonly metadata?: JsonObject
  readonly extensions?: readonly string[]
}

/** Where a peer may tell us that a task moved on. */
export type PushTarget = { readonly url: string; readonly token: string }

export type SendWish = {
  readonly message: OutMessage
  readonly push?: PushTarget
  /** Copied from the interface of the card into every request (spec 8.3.2). */
  readonly tenant?: string
}

/** One protocol version: what its requests look like and how its answers are read. Versions are files, not ifs. */
export type Dialect = {
  readonly version: '1.0' | '0.3'
  readonly versionHeader: Readonly<Record<string, string>>
  readonly extensionsHeader: string
  /** JSON-RPC names of the operations. */
  readonly methods: Readonly<Partial<Record<Operation, string>>>
  /** Of bodies over HTTP+JSON. */
  readonly mediaType: string
  /** HTTP+JSON method and path below the interface's URL; undefined where we do not speak it. */
  readonly path?: (
    operation: Operation,
    taskId: string | undefined,
    tenant: string | undefined,
  ) => { readonly method: 'GET' | 'POST'; readonly path: string } | undefined
  sendParams(wish: SendWish): JsonObject
  /** What a result or a stream event says; undefined for what is none of it. */
  readEvent(json: Json): PeerEvent | undefined
  /** A task as `get` and `cancel` answer with it. */
  readTask(json: Json): PeerTask | undefined
}
