import { type ErrorOptions, type ErrorTable, TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: true, userVisible: true } as const
const later = { retryable: true, modelVisible: true, userVisible: true } as const
const internal = { retryable: false, modelVisible: false, userVisible: true } as const

/** Every error of the a2a package. Codes are stable. How each looks on a wire stands in `server/wire-errors.ts`. */
export const A2A_ERRORS = {
  // the nine of the specification, section 3.3.2
  'a2a-task-not-found': told,
  'a2a-task-not-cancelable': told,
  'a2a-push-not-supported': told,
  'a2a-unsupported-operation': told,
  'a2a-content-type-not-supported': told,
  'a2a-invalid-agent-response': internal,
  'a2a-extended-card-not-configured': told,
  'a2a-extension-required': told,
  'a2a-version-not-supported': told,
  // of JSON-RPC and HTTP
  'a2a-parse-error': told,
  'a2a-invalid-request': told,
  'a2a-method-not-found': told,
  'a2a-invalid-params': told,
  'a2a-internal': internal,
  /** No route, or not with this HTTP method. */
  'a2a-no-route': told,
  'a2a-media-type': told,
  'a2a-body-too-large': told,
  'a2a-unauthenticated': told,
  'a2a-forbidden': told,
  /** The caller has as many open tasks as it may have. */
  'a2a-too-many-tasks': later,
  // of the host
  /** A reader took nothing for too long; its stream was ended. */
  'a2a-reader-too-slow': internal,
  'a2a-listen-failed': internal,
  /** An address that is private, or none. */
  'a2a-address-forbidden': told,
  'a2a-key-unusable': internal,
  'a2a-card-signature': told,
} as const satisfies ErrorTable

export type A2AErrorCode = keyof typeof A2A_ERRORS

export class A2AError extends TenonError {
  override readonly name = 'A2AError'

  constructor(
    override readonly code: A2AErrorCode,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(code, message, A2A_ERRORS[code], options)
  }
}
