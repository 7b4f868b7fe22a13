import { type ErrorOptions, type ErrorTable, TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: true, userVisible: true } as const
const later = { retryable: true, modelVisible: true, userVisible: true } as const

/** What can go wrong between us and a peer. Codes are stable. */
export const PEER_ERRORS = {
  /** The card could not be fetched. @remedy tenon a2a card NAME shows why; check the address. */
  'peer-card-unreachable': later,
  /** What came in place of the card is none. @remedy Check that the address is that of an agent card. */
  'peer-card-invalid': told,
  /** The card is longer than is read. @remedy Ask who runs the agent. */
  'peer-card-too-large': told,
  /**
   * A signature is wrong, or missing where one is asked for (spec 8.4.3).
   * @remedy Ask who runs the agent, then put the right key under peers.NAME.keys.
   */
  'peer-card-untrusted': told,
  /**
   * A private, loopback or link-local address that nobody allowed.
   * @remedy peers.NAME.allow names hosts that may be reached.
   */
  'peer-address-forbidden': told,
  /**
   * Redirects are not followed: what is sent was meant for the address in the configuration.
   * @remedy Write the address where it really stands into the configuration.
   */
  'peer-redirect-refused': told,
  /**
   * The card offers no version and binding that we speak, or asks for an extension that we lack.
   * @remedy Ask who runs the agent for A2A 1.0 or 0.3 over JSON-RPC or HTTP+JSON.
   */
  'peer-no-common-interface': told,
  /** The peer refuses the version of A2A that its card offers. @remedy Ask who runs the agent. */
  'peer-version-refused': told,
  /** The peer wants to know who calls. @remedy Set peers.NAME.headers. */
  'peer-unauthenticated': told,
  /** The peer does not let us do that. @remedy Ask who runs the agent. */
  'peer-forbidden': told,
  /** An A2A error in answer to a request. @remedy The message is that of the peer. */
  'peer-refused': told,
  /** The peer does not answer. @remedy Try later; a delegation waits for it by itself. */
  'peer-unavailable': later,
  /** What came back is no A2A. @remedy Report it to who made the agent. */
  'peer-protocol-error': told,
  /** The answer is longer than is read. @remedy Ask for less. */
  'peer-response-too-large': told,
  /** The delegation took longer than it may. @remedy Raise peers.NAME.timeout, or ask for less. */
  'peer-timeout': told,
  /** The peer failed. @remedy The message is that of the peer. */
  'peer-task-failed': told,
  /** The peer does not take the task. @remedy The message is that of the peer. */
  'peer-task-rejected': told,
  /** The task was canceled at the peer. @remedy Delegate again if it is still wanted. */
  'peer-task-canceled': told,
  /** The peer took the task and does not know it any more. @remedy Delegate again if it may be repeated. */
  'peer-task-lost': told,
  /** No such peer in the configuration, or none of this run's tasks. @remedy Take a name that the message lists. */
  'peer-unknown': { ...told, usage: true },
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
