import { type ErrorOptions, type ErrorTable, type Json, TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: true, userVisible: true } as const
const later = { retryable: true, modelVisible: true, userVisible: true } as const
const internal = { retryable: false, modelVisible: false, userVisible: true } as const

/** Every error of the mcp package. Codes are stable. */
export const MCP_ERRORS = {
  // how a request to a server ended
  /**
   * The server answered with a JSON-RPC error; `detail.code` is its code, `detail.data` what it added.
   * @remedy The message is that of the server.
   */
  'mcp-rpc-error': told,
  /** No answer and no progress in time; the server was told. @remedy Try again, or raise mcp.servers.NAME.timeout. */
  'mcp-timeout': later,
  /** We cancelled it; the server was told. Never a timeout. @remedy Nothing. */
  'mcp-cancelled': told,
  /**
   * Process, stream or socket ended under a request that was sent: it may have run.
   * @remedy Try again; the server is opened anew.
   */
  'mcp-connection-lost': later,
  /**
   * The process could not be started, or ended before the handshake.
   * @remedy tenon mcp list --log shows what it wrote.
   */
  'mcp-start-failed': told,
  /**
   * The process writes text on stdout, where messages belong, and answered nothing. The message holds a line of it, so
   * no model is shown it.
   * @remedy Check that the command starts an MCP server over stdio; a server's log belongs on stderr.
   */
  'mcp-stdout-noise': internal,
  /**
   * Neither era could be opened; the message names the reason.
   * @remedy Check that the command or address is an MCP server.
   */
  'mcp-handshake-failed': told,
  /** The server speaks no version that we speak; the message names its versions. @remedy Update the server. */
  'mcp-version-unsupported': told,
  /** HTTP 401: somebody has to sign in. @remedy tenon mcp login NAME. */
  'mcp-auth-required': told,
  /** HTTP 403: what was signed in for is not enough. @remedy Sign in with more scopes, or ask who runs the server. */
  'mcp-forbidden': told,
  /** Another HTTP status that is no answer; `detail.status` is it. @remedy Try later; check the address. */
  'mcp-http-error': later,
  /**
   * A redirect to another origin; not followed.
   * @remedy Write the address where it really stands into the configuration.
   */
  'mcp-redirect-refused': told,
  /**
   * What came back is no usable MCP message.
   * @remedy Report it to who made the server; tenon mcp tap shows what was said.
   */
  'mcp-protocol-error': told,
  /** One message over the limit; the others go on. @remedy Ask for less, or raise maxMessageBytes. */
  'mcp-too-large': told,
  /**
   * The server does not know our session any more: the request did not run.
   * @remedy Nothing; a new session is opened.
   */
  'mcp-session-lost': later,
  /**
   * A call with an effect was sent and its end is not known: it is not repeated by itself. `cause` says what was lost.
   * @remedy Look whether it happened before it is asked for again.
   */
  'mcp-in-doubt': { ...told, inDoubt: true },
  /** The upstream was closed by us. @remedy Nothing. */
  'mcp-closed': internal,
  // what the host refuses
  /** Arguments do not fit the schema of the tool. @remedy Nothing; the model is told where and why. */
  'mcp-invalid-arguments': told,
  /** The result does not have the shape that the tool declares. @remedy Report it to who made the server. */
  'mcp-output-invalid': told,
  /**
   * Not in the catalogue, or left out of it because its definition cannot be used.
   * @remedy tenon mcp list --tools shows which there are.
   */
  'mcp-unknown-tool': told,
  /**
   * The definition differs from the approved one; it is asked for again.
   * @remedy Read the difference, then approve or deny it.
   */
  'mcp-definition-changed': told,
  /**
   * The server asks for input of a kind that was not declared.
   * @remedy Nothing, if you do not want it; sampling is switched on by mcp.sampling.
   */
  'mcp-input-refused': told,
  /** The server never stops asking for input. @remedy Report it to who made the server. */
  'mcp-too-many-rounds': told,
  /** The task ended as failed or cancelled at the server. @remedy The message is that of the server. */
  'mcp-task-failed': told,
  /** The definition of a server cannot be used. @remedy Mend what the message names. */
  'mcp-config-invalid': { ...internal, usage: true },
  // what we serve
  /** The port is taken, or the address may not be listened on. @remedy Choose another port. */
  'mcp-listen-failed': internal,
  /** More users than a bridge keeps upstreams for. @remedy Try later, or run another bridge. */
  'mcp-too-many-users': later,
  /** The file that a tap writes cannot be written. @remedy Name another file. */
  'mcp-log-unwritable': internal,
} as const satisfies ErrorTable

export type McpErrorCode = keyof typeof MCP_ERRORS

export class McpError extends TenonError {
  override readonly name = 'McpError'
  declare readonly code: McpErrorCode

  constructor(code: McpErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, MCP_ERRORS[code], options)
  }
}

/** True across duplicate installs of this package. */
export function isMcpError(value: unknown, code?: McpErrorCode): value is McpError {
  return (
    value instanceof Error && value.name === 'McpError' && (code === undefined || (value as McpError).code === code)
  )
}

/** A JSON-RPC error of the server, code and data kept. */
export function rpcError(code: number, message: string, data?: Json): McpError {
  return new McpError('mcp-rpc-error', message, { detail: data === undefined ? { code } : { code, data } })
}

/** The headers of a request did not repeat its body as they must (2026-07-28, SEP-2243): it did not run. */
export const isHeaderMismatch = (error: unknown): boolean => rpcDetail(error)?.code === -32020

/** The JSON-RPC code and data of an `mcp-rpc-error`; undefined for every other error. */
export function rpcDetail(error: unknown): { readonly code: number; readonly data?: Json } | undefined {
  if (!isMcpError(error, 'mcp-rpc-error')) return undefined
  return error.detail as { code: number; data?: Json }
}
