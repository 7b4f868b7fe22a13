import type { JsonObject, Redact } from '@tenon/kernel'
import type { DiagnosticCode } from './diagnostic.js'
import type { LogLevel } from './log-level.js'

/** Which family of protocol revisions a connection speaks: up to 2025-11-25 with a handshake, or 2026-07-28 without. */
export type EraName = 'legacy' | 'modern'

/** What a server said of itself. Nothing of it is trusted. */
export type UpstreamInfo = {
  readonly era: EraName
  readonly version: string
  readonly capabilities: JsonObject
  readonly serverInfo: JsonObject
  readonly instructions?: string
}

export type Progress = { readonly progress: number; readonly total?: number; readonly message?: string }

/** A request of the server to us (legacy era): elicitation/create, sampling/createMessage, roots/list. */
export type ServerRequest = {
  readonly method: string
  readonly params: JsonObject
  /** Aborted when the server takes its question back or the connection ends. */
  readonly signal: AbortSignal
}

/** Answers with the result. What it throws becomes a JSON-RPC error for the server; `rpcError` keeps code and data. */
export type ServerRequestHandler = (request: ServerRequest) => Promise<JsonObject>

export type RequestOptions = {
  /** Aborting cancels: the server is told once and the request rejects with `mcp-cancelled`. */
  readonly signal?: AbortSignal
  /** Milliseconds without answer or progress; the upstream's limit if absent. */
  readonly timeoutMs?: number
  /** Milliseconds in all, whatever progress there is. */
  readonly totalTimeoutMs?: number
  readonly onProgress?: (progress: Progress) => void
  /** Merged into `_meta`; a key given here wins over what the era's envelope says (`clientCapabilities` of the real client). */
  readonly meta?: JsonObject
  /**
   * Takes the questions that the server pushes while this request is open and that belong to it: those on its own
   * stream, and over stdio, where nothing says to which call a question belongs, those of the oldest open request
   * that has a handler. Without one the upstream's own handler is asked.
   */
  readonly onServerRequest?: ServerRequestHandler
  /** Notifications other than progress that came on this request's own response stream. */
  readonly onNotification?: (method: string, params: JsonObject) => void
  /** The server has taken the subscription that this request asks for (`subscriptions/listen`). */
  readonly onAcknowledged?: () => void
  /** Reading changes nothing: after a lost connection the request is sent once more. */
  readonly repeatable?: boolean
}

export type UpstreamEvent =
  /** `again` after a restart or a new session: whatever was read before may be stale. */
  | { readonly kind: 'opened'; readonly info: UpstreamInfo; readonly again: boolean }
  /** The connection ended by itself; it is opened again after a pause, or at the next request. */
  | { readonly kind: 'lost'; readonly error: Error }
  /** Restarts have stopped. The next `open()` tries once more. */
  | { readonly kind: 'failed'; readonly error: Error }
  /** From the server, except progress and cancellation, which go to their request. */
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  /** Notifications may have been missed: read the lists again. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'diagnostic'; readonly code: DiagnosticCode; readonly detail?: string }

/** What changes are wanted to be heard of. */
export type FollowFilter = {
  readonly tools?: boolean
  readonly prompts?: boolean
  readonly resources?: boolean
  readonly uris?: readonly string[]
}

/**
 * One MCP server that we use, over any transport, of either era, for one user. Opened when it is first needed, opened
 * again when it was lost. All rejections are `McpError`s.
 */
export interface Upstream {
  readonly name: string
  /** Undefined until it was opened, and while it is down. */
  readonly info: UpstreamInfo | undefined
  /** Resolves when the handshake is through; concurrent calls share one attempt. */
  open(signal?: AbortSignal): Promise<UpstreamInfo>
  /**
   * Sends a request and resolves with the result as the server sent it, `resultType` `input_required` and `task`
   * included; both are for the caller. A request that was sent and lost is not sent again, unless it is `repeatable`
   * or the answer proves that it did not run (a lost session).
   */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<void>
  /** Replaces what is followed. Kept over restarts and new sessions. Resolves when the server has agreed. */
  follow(filter: FollowFilter): Promise<void>
  on(listener: (event: UpstreamEvent) => void): () => void
  /** The last lines that the process wrote on stderr, and what it wrote on stdout that is no message. */
  readonly log: string
  /** Ends what is open, the process tree included. A later request opens it again. */
  close(): Promise<void>
}

export type UpstreamLimits = {
  /** Without answer or progress. */
  readonly requestTimeoutMs: number
  readonly totalTimeoutMs: number
  /** From the start of the process or connection to the end of the handshake. */
  readonly startTimeoutMs: number
  readonly probeTimeoutMs: number
  /** One line, event or body. */
  readonly maxMessageBytes: number
  /** For each polite way to stop a process. */
  readonly closeGraceMs: number
}

export const UPSTREAM_LIMITS: UpstreamLimits = {
  requestTimeoutMs: 60_000,
  totalTimeoutMs: 600_000,
  startTimeoutMs: 30_000,
  probeTimeoutMs: 2_000,
  maxMessageBytes: 16 * 1024 * 1024,
  closeGraceMs: 2_000,
}

/** Where a server is. */
export type UpstreamTarget =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args?: readonly string[]
      /** Granted on top of a minimal environment; nothing else of ours is passed on. Secrets are looked up at the start. */
      readonly env?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
      readonly cwd?: string
    }
  | {
      readonly kind: 'http'
      readonly url: string
      /** Looked up for each request, so that a secret stands in no configuration object. */
      readonly headers?: () => Readonly<Record<string, string>>
      /** `auto` tries Streamable HTTP and goes on with HTTP+SSE where the address is one. */
      readonly transport?: 'auto' | 'streamable' | 'sse'
    }

/** Tokens for one server and one user. */
export interface UpstreamAuth {
  /** Whose they are: what is found out about the server with them holds for nobody else. */
  readonly context?: string
  /** The token to send now, refreshed where that is possible without a person. */
  token(): Promise<string | undefined>
  /**
   * The server answered 401 or 403 with this WWW-Authenticate value to a request with the token `sent`. True when
   * another token is there now and the request may be sent once more.
   */
  challenged(status: 401 | 403, challenge: string | undefined, sent: string | undefined): Promise<boolean>
  /** The headers of one request with a token that is bound to a key (RFC 9449); undefined for a bearer token. */
  prove?(method: string, url: URL, token: string): Promise<Readonly<Record<string, string>> | undefined>
  /** A server may say with any answer what the next proof has to repeat. */
  observe?(url: URL, nonce: string): Promise<void>
}

/** What eras servers were found to speak. Verdicts end by themselves: a server may be updated. */
export interface EraVerdicts {
  get(key: string): EraName | undefined
  set(key: string, era: EraName): void
}

export type UpstreamOptions = {
  /** As the user knows it. */
  readonly name: string
  readonly target: UpstreamTarget
  readonly clientInfo: { readonly name: string; readonly version: string }
  /** Declared to the server: at the handshake to a legacy one, with each request to a modern one. */
  readonly capabilities?: JsonObject
  /** Answers what the server asks outside of a request that has its own handler. */
  readonly onServerRequest?: ServerRequestHandler
  /**
   * The least level of messages that the server is asked to send: once to a legacy one that logs, with each request to
   * a modern one. Absent: a legacy server decides by itself, a modern one sends none.
   */
  readonly logLevel?: LogLevel
  /** Takes known secrets out of all that the server says, except what has to go back to it byte for byte. */
  readonly redact?: Redact
  /** The only era that is spoken with it, whatever it offers. Absent: modern where it can. */
  readonly era?: EraName
  readonly limits?: Partial<UpstreamLimits>
  readonly verdicts?: EraVerdicts
  readonly auth?: UpstreamAuth
}
