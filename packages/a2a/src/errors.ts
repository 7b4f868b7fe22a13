import { type ErrorOptions, type ErrorTable, TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: true, userVisible: true } as const
const later = { retryable: true, modelVisible: true, userVisible: true } as const
const internal = { retryable: false, modelVisible: false, userVisible: true } as const

/** Every error of the a2a package. Codes are stable. How each looks on a wire stands in `server/wire-errors.ts`. */
export const A2A_ERRORS = {
  // of the specification, section 3.3.2; the ninth is that of an agent behind a server, and ours are not behind one
  /** No task of that id, or one of somebody else. @remedy Check the id and the credentials. */
  'a2a-task-not-found': told,
  /** The task has ended. @remedy Nothing. */
  'a2a-task-not-cancelable': told,
  /** This agent sends no webhooks. @remedy Follow the task by stream, or look at it. */
  'a2a-push-not-supported': told,
  /** This agent does not do that. @remedy See its card. */
  'a2a-unsupported-operation': told,
  /** The agent does not take parts of that media type. @remedy See inputModes of its card. */
  'a2a-content-type-not-supported': told,
  /** There is no extended card. @remedy Use the public one. */
  'a2a-extended-card-not-configured': told,
  /** The agent wants an extension that the client did not name. @remedy Name it in A2A-Extensions. */
  'a2a-extension-required': told,
  /** The version is not spoken here. @remedy Take one that the card names. */
  'a2a-version-not-supported': told,
  // of JSON-RPC and HTTP
  /** The body is no JSON. @remedy Mend the request. */
  'a2a-parse-error': told,
  /** The body is no request. @remedy Mend the request. */
  'a2a-invalid-request': told,
  /** There is no such method. @remedy See the specification of the version. */
  'a2a-method-not-found': told,
  /** A field is missing or has the wrong form. @remedy The message names the field. */
  'a2a-invalid-params': told,
  /** Something failed inside. @remedy Look at the log of the server. */
  'a2a-internal': internal,
  /** No route, or not with this HTTP method. @remedy See the interfaces of the card. */
  'a2a-no-route': told,
  /** The body has another media type than is read. @remedy Send application/json or application/a2a+json. */
  'a2a-media-type': told,
  /** The body is longer than is read. @remedy Send less, or raise serve.bodyLimit. */
  'a2a-body-too-large': told,
  /** Nobody knows who calls. @remedy Send the credentials that the card asks for. */
  'a2a-unauthenticated': told,
  /** The caller may not do that. @remedy Ask who runs the agent. */
  'a2a-forbidden': told,
  /** The caller has as many open tasks as it may have. @remedy Let tasks end, or raise serve.openTasks. */
  'a2a-too-many-tasks': later,
  // of the host
  /** A reader took nothing for too long; its stream was ended. @remedy Subscribe again with Last-Event-ID. */
  'a2a-reader-too-slow': internal,
  /** A webhook did not take what it was told. @remedy tenon a2a dead-letters lists it, and tells it again. */
  'a2a-webhook-given-up': internal,
  /** The port is taken, or may not be listened on. @remedy Choose another port. */
  'a2a-listen-failed': internal,
  /** A key of the store cannot be read. @remedy Restore the key, or remove it so that a new one is made. */
  'a2a-key-unusable': internal,
  /**
   * Whoever issues tokens for callers cannot be asked, or answers with something else; its callers are kept out.
   * @remedy Look at the addresses below serve.access, and whether they can be reached from here.
   */
  'a2a-issuer-unusable': internal,
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
