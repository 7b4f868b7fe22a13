import type { ErrorOptions, ErrorTable } from '@tenon/kernel'
import { TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: false, userVisible: true } as const
const passing = { retryable: true, modelVisible: false, userVisible: true } as const

/** Every error of the models package. Codes are stable. */
export const MODELS_ERRORS = {
  // Which model answers.
  /** No such provider, model or alias. */
  'model-unknown': told,
  /** The provider's key is not in the environment. */
  'key-missing': told,
  /** There is no way to reach a model on this machine. */
  'no-model': told,
  // What a provider answered. The codes are those of every wire dialect.
  'rate-limited': passing,
  overloaded: passing,
  'server-error': passing,
  timeout: passing,
  /** What came is no answer: no JSON, no choices. */
  'bad-response': passing,
  /** The provider could not parse the call that its own model wrote. */
  'bad-tool-call': passing,
  /** The stream ended without an end. */
  'stream-truncated': passing,
  /** The stream made no progress for too long. */
  'stream-stalled': passing,
  /** No connection, or none that lasted until an answer began. */
  unreachable: passing,
  'invalid-request': told,
  /** The provider refuses the schema of a tool or of the output. */
  'bad-schema': told,
  'context-overflow': told,
  'request-too-large': told,
  auth: told,
  forbidden: told,
  'model-not-found': told,
  /** The balance or the day's quota is used up: waiting a little does not help. */
  'quota-exhausted': told,
  'content-filtered': told,
  /** The provider refuses the conversation so far: a signature, a thought, an order of messages. */
  'history-rejected': told,
  /** The address answers, but not as an API does. */
  'wrong-endpoint': told,
  // Rehearsals.
  /** No scene fits what was shown. */
  'rehearsal-departed': told,
  /** The file is not a rehearsal. */
  'rehearsal-invalid': told,
  // Tool definitions.
  /** The definition of a tool has no certain meaning as JSON Schema. */
  'tool-schema-invalid': told,
  // Models in this process.
  'local-runtime-missing': told,
  'local-runtime-failed': told,
  'local-model-unknown': told,
  /** A model of this name but with other weights is there already. */
  'local-model-exists': told,
  /** The file holds no weights that can be used. */
  'local-model-invalid': told,
  /** The process that held the model ended. */
  'local-crashed': passing,
  'local-load-failed': told,
  'local-failed': told,
  /** The answer was cut off because the host stopped it. */
  'local-canceled': passing,
  'digest-mismatch': told,
  'download-failed': passing,
  /** The server does not give the file out. */
  'download-refused': told,
  'python-missing': told,
  'disk-full': told,
} as const satisfies ErrorTable

export type ModelsErrorCode = keyof typeof MODELS_ERRORS

export class ModelsError extends TenonError {
  override readonly name = 'ModelsError'

  constructor(code: ModelsErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, MODELS_ERRORS[code], options)
  }
}
