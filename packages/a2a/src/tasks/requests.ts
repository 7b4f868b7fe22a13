import type { WireMessage } from '../mapping/wire-types.js'

/** What operations are asked for: checked requests of A2A 1.0, whatever binding and version they came in. */
export type SendRequest = {
  readonly message: WireMessage
  readonly configuration?: {
    readonly acceptedOutputModes?: readonly string[]
    readonly taskPushNotificationConfig?: PushConfigRequest
    readonly historyLength?: number
    readonly returnImmediately?: boolean
  }
}

export type PushConfigRequest = {
  readonly id?: string
  readonly url: string
  readonly token?: string
  readonly authentication?: { readonly scheme: string; readonly credentials?: string }
}

export type GetRequest = { readonly id: string; readonly historyLength?: number }

export type ListRequest = {
  readonly contextId?: string
  readonly status?: string
  readonly pageSize?: number
  readonly pageToken?: string
  readonly historyLength?: number
  /** ISO 8601. */
  readonly statusTimestampAfter?: string
  readonly includeArtifacts?: boolean
}
