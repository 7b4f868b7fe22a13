import type { Json, JsonObject } from '@tenon/kernel'

/** The objects of A2A 1.0 as its JSON has them: what every binding and version is translated from and to. */
export type WireState =
  | 'TASK_STATE_SUBMITTED'
  | 'TASK_STATE_WORKING'
  | 'TASK_STATE_COMPLETED'
  | 'TASK_STATE_FAILED'
  | 'TASK_STATE_CANCELED'
  | 'TASK_STATE_INPUT_REQUIRED'
  | 'TASK_STATE_REJECTED'
  | 'TASK_STATE_AUTH_REQUIRED'

type PartFrame = { readonly filename?: string; readonly mediaType?: string; readonly metadata?: JsonObject }

/** Exactly one content. `raw` is base64. */
export type WirePart = PartFrame &
  ({ readonly text: string } | { readonly raw: string } | { readonly url: string } | { readonly data: Json })

export type WireMessage = {
  readonly messageId: string
  readonly role: 'ROLE_USER' | 'ROLE_AGENT'
  readonly parts: readonly WirePart[]
  readonly contextId?: string
  readonly taskId?: string
  readonly metadata?: JsonObject
  readonly extensions?: readonly string[]
  readonly referenceTaskIds?: readonly string[]
}

export type WireArtifact = {
  readonly artifactId: string
  readonly name?: string
  readonly description?: string
  readonly parts: readonly WirePart[]
  readonly metadata?: JsonObject
  readonly extensions?: readonly string[]
}

export type WireStatus = {
  readonly state: WireState
  readonly message?: WireMessage
  /** ISO 8601 in UTC. */
  readonly timestamp: string
}

export type WireTask = {
  readonly id: string
  readonly contextId: string
  readonly status: WireStatus
  readonly artifacts?: readonly WireArtifact[]
  readonly history?: readonly WireMessage[]
  readonly metadata?: JsonObject
}

/** One event of a stream, or one delivery to a webhook: exactly one of the four. */
export type WireEvent =
  | { readonly task: WireTask }
  | { readonly message: WireMessage }
  | {
      readonly statusUpdate: {
        readonly taskId: string
        readonly contextId: string
        readonly status: WireStatus
        readonly metadata?: JsonObject
      }
    }
  | {
      readonly artifactUpdate: {
        readonly taskId: string
        readonly contextId: string
        readonly artifact: WireArtifact
        readonly append?: boolean
        readonly lastChunk?: boolean
      }
    }

export type WirePushConfig = {
  readonly taskId: string
  readonly id: string
  readonly url: string
  readonly tenant?: string
  readonly token?: string
  readonly authentication?: { readonly scheme: string; readonly credentials?: string }
}
