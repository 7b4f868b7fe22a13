import type { Json, JsonObject, Redact } from '@tenon/kernel'
import type { PinStore } from '../catalogue/pins.js'
import type { McpServerConfig } from '../host/server-config.js'
import type { DiagnosticCode } from '../upstream/diagnostic.js'
import type { EraVerdicts } from '../upstream/upstream.js'

/** What may be called through a bridge. */
export type BridgeDecision = 'allow' | 'ask' | 'deny'

/** One call that went through, for a log that is kept. Holds no arguments and no results. */
export type BridgeAudit = {
  readonly at: number
  readonly principal: string
  readonly client: Json
  readonly server: string
  readonly method: string
  readonly name?: string
  readonly ms: number
  readonly outcome: 'ok' | 'tool-error' | 'input-required' | 'task' | 'refused' | 'failed'
  readonly code?: string
  /** W3C trace context of the client, handed on to the server. */
  readonly traceparent?: string
}

export type BridgeOptions = {
  readonly servers: readonly McpServerConfig[]
  readonly serverInfo: { readonly name: string; readonly version: string }
  readonly instructions?: string
  /** Decides about each call of a tool. Absent: what the upstream offers may be called. */
  readonly policy?: (server: string, tool: string) => BridgeDecision
  /** Definitions as they were approved; a changed one asks again. Absent: those of the first sight, in this process. */
  readonly pins?: PinStore
  readonly verdicts?: EraVerdicts
  readonly audit?: (entry: BridgeAudit) => void
  readonly onDiagnostic?: (diagnostic: {
    readonly server: string
    readonly code: DiagnosticCode
    readonly detail?: string
  }) => void
  /** Takes secrets of ours out of all that servers say. */
  readonly redact?: Redact
  /** How long the first lists wait for upstreams that are slow to start. Milliseconds. */
  readonly startPatienceMs?: number
  /** How long an upstream of a user is kept when nobody uses it. Milliseconds. */
  readonly idleMs?: number
}

export const BRIDGE_DEFAULTS = {
  startPatienceMs: 800,
  idleMs: 10 * 60_000,
  maxPrincipals: 1000,
  maxOwnUpstreams: 64,
} as const

/** Capabilities by which a client can be asked something during a call. */
export const askable = (capabilities: JsonObject): boolean =>
  capabilities.elicitation !== undefined || capabilities.sampling !== undefined || capabilities.roots !== undefined
