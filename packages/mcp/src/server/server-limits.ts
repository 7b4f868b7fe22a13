/** How much one endpoint takes from its clients. */
export type ServerLimits = {
  /** One request body or line. */
  readonly maxMessageBytes: number
  readonly maxSessions: number
  /** Without a request, an open stream or a call. */
  readonly sessionIdleMs: number
  readonly maxSubscriptions: number
  /** Calls that wait for a modern client to come back. */
  readonly maxOpenCalls: number
  /** How long they wait. */
  readonly holdMs: number
  /** How long a sealed state is good for. */
  readonly stateTtlMs: number
  /** Calls of one session at once. */
  readonly maxCallsPerSession: number
  /** What one session keeps for streams that come back. */
  readonly replayBytes: number
  /** A comment on every open stream, so that nothing in between takes it for dead. */
  readonly keepAliveMs: number
  /** How long a question to a legacy client waits. */
  readonly askTimeoutMs: number
  /** Rounds of questions in one call. */
  readonly maxRounds: number
}

export const SERVER_LIMITS: ServerLimits = {
  maxMessageBytes: 4 * 1024 * 1024,
  maxSessions: 10_000,
  sessionIdleMs: 30 * 60_000,
  maxSubscriptions: 1024,
  maxOpenCalls: 1000,
  holdMs: 10 * 60_000,
  stateTtlMs: 10 * 60_000,
  maxCallsPerSession: 256,
  replayBytes: 1024 * 1024,
  keepAliveMs: 15_000,
  askTimeoutMs: 10 * 60_000,
  maxRounds: 8,
}
