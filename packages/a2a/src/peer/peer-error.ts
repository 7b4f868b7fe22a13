import { type ErrorOptions, type ErrorTable, TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: true, userVisible: true } as const
const later = { retryable: true, modelVisible: true, userVisible: true } as const

/** What can go wrong between us and a peer. Codes are stable. */
export const PEER_ERRORS = {
  /** The card could not be fetched. */
  'peer-card-unreachable': later,
  /** What came in place of the card is none. */
  'peer-card-invalid': told,
  'peer-card-too-large': told,
  /** A signature is wrong, or missing where one is asked for (spec 8.4.3). */
  'peer-card-untrusted': told,
  /** A private, loopback or link-local address that nobody allowed. */
  'peer-address-forbidden': told,
  /** Redirects are not followed: what is sent was meant for the address in the configuration. */
  'peer-redirect-refused': told,
  /** The card offers no version and binding that we speak, or asks for an extension that we lack. */
  'peer-no-common-interface': told,
  'peer-version-refused': told,
  'peer-unauthenticated': told,
  'peer-forbidden': told,
  /** An A2A error in answer to a request. */
  'peer-refused': told,
  'peer-unavailable': later,
  /** What came back is no A2A. */
  'peer-protocol-error': told,
  'peer-response-too-large': told,
  /** The delegation took longer than it may. */
  'peer-timeout': told,
  'peer-task-failed': told,
  'peer-task-rejected': told,
  'peer-task-canceled': told,
  /** The peer took the task and does not know it any more. */
  'peer-task-lost': told,
  /** No such peer in the configuration, or none of this run's tasks. */
  'peer-unknown': told,
  'peer-config-invalid': { retryable: false, modelVisible: false, userVisible: true },
} as const satisfies ErrorTable

export type PeerErrorCode = keyof typeof PEER_ERRORS

export type PeerErrorOptions = ErrorOptions & {
  /** The peer may have begun what was asked of it. */
  readonly mayHaveRun?: boolean
  /** Nothing was begun, and the same request may be sent again after `retryAfterMs` (429, or 503 with Retry-After). */
  readonly repeatable?: boolean
  /** The A2A reason, such as `TASK_NOT_FOUND`, where the peer gave one. */
  readonly reason?: string
}

export class PeerError extends TenonError {
  override readonly name = 'PeerError'
  declare readonly code: PeerErrorCode
  readonly mayHaveRun: boolean
  readonly repeatable: boolean
  readonly reason: string | undefined

  constructor(code: PeerErrorCode, message: string, options: PeerErrorOptions = {}) {
    const traits = PEER_ERRORS[code]
    super(code, message, options.mayHaveRun ? { ...traits, retryable: false, inDoubt: true } : traits, options)
    this.mayHaveRun = options.mayHaveRun === true
    this.repeatable = options.repeatable === true
    this.reason = options.reason
  }
}

/** True across duplicate installs of this package. */
export function isPeerError(value: unknown, code?: PeerErrorCode): value is PeerError {
  return (
    value instanceof Error && value.name === 'PeerError' && (code === undefined || (value as PeerError).code === code)
  )
}
