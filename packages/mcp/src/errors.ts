import { type ErrorOptions, type ErrorTable, type Json, TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: true, userVisible: true } as const
const later = { retryable: true, modelVisible: true, userVisible: true } as const
const internal = { retryable: false, modelVisible: false, userVisible: true } as const

/** Every error of the mcp package. Codes are stable. */
export const MCP_ERRORS = {
  // how a request to a server ended
  /** The server answered with a JSON-RPC error; `detail.code` is its code, `detail.data` what it added. */
  'mcp-rpc-error': told,
  /** No answer and no progress in time; the server was told. */
  'mcp-timeout': later,
  /** We cancelled it; the server was told. Never a timeout. */
  'mcp-cancelled': told,
  /** Process, stream or socket ended under a request that was sent: it may have run. */
  'mcp-connection-lost': later,
  /** The process could not be started, or ended before the handshake. */
  'mcp-start-failed': told,
  /** Neither era could be opened; the message names the reason. */
  'mcp-handshake-failed': told,
  /** The server speaks no version that we speak; the message names its versions. */
  'mcp-version-unsupported': told,
  /** HTTP 401: somebody has to sign in. */
  'mcp-auth-required': told,
  /** HTTP 403. */
  'mcp-forbidden': told,
  /** Another HTTP status that is no answer; `detail.status` is it. */
  'mcp-http-error': later,
  /** A redirect to another origin; not followed. */
  'mcp-redirect-refused': told,
  /** What came back is no usable MCP message. */
  'mcp-protocol-error': told,
  /** One message over the limit; the others go on. */
  'mcp-too-large': told,
  /** The server does not know our session any more: the request did not run. */
  'mcp-session-lost': later,
  /** A call with an effect was sent and its end is not known: it is not repeated by itself. `cause` says what was lost. */
  'mcp-in-doubt': { ...told, inDoubt: true },
  /** The upstream was closed by us. */
  'mcp-closed': internal,
  // what the host refuses
  'mcp-invalid-arguments': told,
  /** The result does not have the shape that the tool declares. */
  'mcp-output-invalid': told,
  /** Not in the catalogue, or left out of it because its definition cannot be used. */
  'mcp-unknown-tool': told,
  /** The definition differs from the approved one; it is asked for again. */
  'mcp-definition-changed': told,
  /** The server asks for input of a kind that was not declared. */
  'mcp-input-refused': told,
  /** The server never stops asking for input. */
  'mcp-too-many-rounds': told,
  /** The task ended as failed or cancelled at the server. */
  'mcp-task-failed': told,
  'mcp-config-invalid': internal,
  // what we serve
  /** The port is taken, or the address may not be listened on. */
  'mcp-listen-failed': internal,
  /** More users than a bridge keeps upstreams for. */
  'mcp-too-many-users': later,
  /** The file that a tap writes cannot be written. */
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

/** The JSON-RPC code and data of an `mcp-rpc-error`; undefined for every other error. */
export function rpcDetail(error: unknown): { readonly code: number; readonly data?: Json } | undefined {
  if (!isMcpError(error, 'mcp-rpc-error')) return undefined
  return error.detail as { code: number; data?: Json }
}
