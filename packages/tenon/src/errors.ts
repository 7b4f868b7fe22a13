import { type ErrorOptions, type ErrorTable, TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: true, userVisible: true } as const
const internal = { retryable: false, modelVisible: false, userVisible: true } as const
const later = { retryable: true, modelVisible: true, userVisible: true } as const

/** Every error of the tenon package. Codes are stable. */
export const HOST_ERRORS = {
  // schemas and tools
  /** Something that should be JSON Schema is not, or is too large to be compiled. */
  'schema-invalid': internal,
  /** A Standard Schema that cannot say its JSON Schema. */
  'schema-not-shown': internal,
  // files
  /** The path leads out of the workspace. */
  'path-outside': told,
  'path-missing': told,
  /** A folder where a file is wanted, a file where a folder is, or a device, socket or pipe. */
  'path-kind': told,
  'path-denied': told,
  'path-invalid': told,
  'file-too-large': told,
  'file-not-text': told,
  'disk-read-only': told,
  'disk-full': told,
  /** Somebody else changed the file while a tool worked on it. */
  'file-changed': later,
  /** A range that begins after the end. */
  'range-invalid': told,
  'edit-no-match': told,
  'edit-ambiguous': told,
  'pattern-invalid': told,
  'pattern-too-slow': told,
  /** An AGENTS.md that was cut or left out. */
  'instructions-too-large': internal,
  // the web
  'url-invalid': told,
  'url-refused': told,
  'fetch-failed': later,
  'fetch-too-large': told,
  'fetch-timeout': later,
  /** Neither text nor a picture. */
  'fetch-not-text': told,
  // configuration
  /** One or more mistakes in a configuration, each with its place and the fix. */
  'config-invalid': internal,
  /** A key of the configuration needs an environment variable that is not set. */
  'config-secret-missing': internal,
  'file-unreadable': internal,
  // the server
  /** The name that a request was sent to is none of this server's. */
  'host-refused': internal,
  /** A web page of somewhere else asks. */
  'origin-refused': internal,
  unauthenticated: internal,
  /** Known, and without the scope that this needs. */
  forbidden: internal,
  'path-unknown': internal,
  // runs of a library
  /** The run waits for an answer and nobody here can give one. */
  'input-required': { retryable: true, modelVisible: false, userVisible: true },
  'run-canceled': internal,
  // the command
  /** Something on the command line makes no sense here. */
  usage: internal,
  /** Several runs begin like this. */
  'run-ambiguous': internal,
  // outputs
  'artifact-missing': told,
} as const satisfies ErrorTable

export type HostErrorCode = keyof typeof HOST_ERRORS

export class HostError extends TenonError {
  override readonly name = 'HostError'

  constructor(code: HostErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, HOST_ERRORS[code], options)
  }
}
