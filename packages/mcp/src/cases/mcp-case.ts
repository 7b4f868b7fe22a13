import type { Json, JsonObject } from '@tenon/kernel'

/** One operation of a scenario's `do`; which keys are set says which. */
export type Operation = {
  readonly list?: 'tools' | 'resources' | 'templates' | 'prompts'
  readonly cached?: boolean
  readonly call?: string
  readonly read?: string
  readonly prompt?: string
  readonly arguments?: JsonObject
  readonly server?: string
  readonly as?: string
  readonly progress?: boolean
  readonly cancelAfterMs?: number
  readonly leaveAfterMs?: number
  readonly meta?: JsonObject
  readonly follow?: readonly string[]
  readonly approve?: string
  readonly wait?: number
  readonly parallel?: readonly Operation[]
  readonly close?: boolean
  readonly manual?: boolean
  readonly replayState?: Json
  readonly replayStateOf?: string
  readonly is?: string
  readonly orIs?: readonly string[]
  readonly [other: string]: unknown
}

/** A scenario of the kind `mcp`, as its README lays down. */
export type McpCase = {
  readonly kind?: 'host' | 'bridge' | 'tap'
  readonly transport: 'stdio' | 'http' | 'sse'
  readonly era: 'legacy' | 'modern' | 'dual'
  readonly script: JsonObject
  readonly others?: Readonly<Record<string, { readonly transport: 'stdio' | 'http' | 'sse' }>>
  readonly host?: {
    readonly requestTimeoutMs?: number
    readonly totalTimeoutMs?: number
    readonly startTimeoutMs?: number
    readonly probeTimeoutMs?: number
    readonly maxMessageBytes?: number
    readonly viewBudgetBytes?: number
    readonly closeGraceMs?: number
    readonly trusted?: boolean
    readonly plantEnv?: Readonly<Record<string, string>>
  }
  readonly declares?: JsonObject
  readonly answers?: readonly Json[]
  readonly token?: string
  readonly clients?: Readonly<Record<string, JsonObject>>
  readonly do: readonly Operation[]
  readonly expect: {
    readonly outcome: string
    readonly alsoAccept?: readonly string[]
    readonly withinMs: number
    readonly result?: JsonObject
    readonly sent?: JsonObject
    readonly diagnostics?: readonly string[]
    readonly mayAlso?: readonly string[]
    readonly [other: string]: unknown
  }
}

export const isPause = (operation: Operation): boolean => operation.wait !== undefined || operation.close === true
