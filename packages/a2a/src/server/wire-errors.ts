import { isTenonError, type Json } from '@tenon/kernel'
import { A2A_ERRORS, A2AError, type A2AErrorCode } from '../errors.js'

/** How an error looks in the three bindings (specification, section 5.4). */
export type WireError = {
  readonly rpc: number
  readonly http: number
  /** The name of the gRPC status, which HTTP+JSON shows too. */
  readonly status: string
  /** For `google.rpc.ErrorInfo`, where the error is one of A2A's own. */
  readonly reason?: string
}

const failed = (rpc: number, reason: string): WireError => ({ rpc, http: 400, status: 'FAILED_PRECONDITION', reason })

const WIRE_ERRORS: Partial<Readonly<Record<A2AErrorCode, WireError>>> = {
  'a2a-task-not-found': { rpc: -32001, http: 404, status: 'NOT_FOUND', reason: 'TASK_NOT_FOUND' },
  'a2a-task-not-cancelable': failed(-32002, 'TASK_NOT_CANCELABLE'),
  'a2a-push-not-supported': failed(-32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED'),
  'a2a-unsupported-operation': failed(-32004, 'UNSUPPORTED_OPERATION'),
  'a2a-content-type-not-supported': {
    rpc: -32005,
    http: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
  },
  'a2a-extended-card-not-configured': failed(-32007, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'),
  'a2a-extension-required': failed(-32008, 'EXTENSION_SUPPORT_REQUIRED'),
  'a2a-version-not-supported': failed(-32009, 'VERSION_NOT_SUPPORTED'),
  'a2a-parse-error': { rpc: -32700, http: 400, status: 'INVALID_ARGUMENT' },
  'a2a-invalid-request': { rpc: -32600, http: 400, status: 'INVALID_ARGUMENT' },
  'a2a-method-not-found': { rpc: -32601, http: 404, status: 'NOT_FOUND' },
  'a2a-invalid-params': { rpc: -32602, http: 400, status: 'INVALID_ARGUMENT' },
  'a2a-no-route': { rpc: -32601, http: 404, status: 'NOT_FOUND' },
  'a2a-media-type': { rpc: -32005, http: 415, status: 'INVALID_ARGUMENT', reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  'a2a-body-too-large': { rpc: -32600, http: 413, status: 'RESOURCE_EXHAUSTED' },
  'a2a-unauthenticated': { rpc: -32600, http: 401, status: 'UNAUTHENTICATED' },
  'a2a-forbidden': { rpc: -32600, http: 403, status: 'PERMISSION_DENIED' },
  'a2a-too-many-tasks': { rpc: -32000, http: 429, status: 'RESOURCE_EXHAUSTED' },
}

const INTERNAL: WireError = { rpc: -32603, http: 500, status: 'INTERNAL' }

/** Errors that are answers of HTTP in every binding, whatever the body says. */
export const HTTP_STATUS_COUNTS: ReadonlySet<A2AErrorCode> = new Set([
  'a2a-unauthenticated',
  'a2a-forbidden',
  'a2a-body-too-large',
  'a2a-media-type',
  'a2a-too-many-tasks',
])

/** What a client is told. Anything that is not ours is told as an internal error, without a word of its own. */
export function told(error: unknown): { readonly error: A2AError; readonly wire: WireError } {
  const own = isTenonError(error) && Object.hasOwn(A2A_ERRORS, error.code) ? (error as A2AError) : undefined
  const wire = own === undefined ? undefined : WIRE_ERRORS[own.code]
  if (own !== undefined && wire !== undefined) return { error: own, wire }
  return { error: new A2AError('a2a-internal', 'Something went wrong here.', { cause: error }), wire: INTERNAL }
}

/** `google.rpc` details of an error, as JSON. */
function detailsOf({ error, wire }: ReturnType<typeof told>): readonly Json[] {
  const details: Json[] = []
  if (wire.reason !== undefined)
    details.push({
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: wire.reason,
      domain: 'a2a-protocol.org',
    })
  if (error.code === 'a2a-invalid-params' && error.detail !== undefined)
    details.push({ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [error.detail] })
  return details
}

export function rpcError(id: Json, error: unknown): Json {
  const known = told(error)
  const data = detailsOf(known)
  return {
    jsonrpc: '2.0',
    id,
    error: { code: known.wire.rpc, message: known.error.message, ...(data.length === 0 ? {} : { data }) },
  }
}

/** AIP-193. */
export function restError(error: unknown): Json {
  const known = told(error)
  const { http, status } = known.wire
  return { error: { code: http, status, message: known.error.message, details: detailsOf(known) } }
}
