import type { ErrorOptions, ErrorTable } from '@tenon/kernel'
import { TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: false, userVisible: true } as const
const usage = { ...told, usage: true } as const
const passing = { retryable: true, modelVisible: false, userVisible: true } as const

/** Every error of the models package. Codes are stable. */
export const MODELS_ERRORS = {
  // Which model answers.
  /** No such provider, model or alias. @remedy tenon models list shows which there are. */
  'model-unknown': usage,
  /** The provider's key is not in the environment. @remedy Set the variable that the message names. */
  'key-missing': told,
  /** There is no way to reach a model on this machine. @remedy tenon doctor lists the ways to get one. */
  'no-model': told,
  // What a provider answered. The codes are those of every wire dialect.
  /** The provider wants fewer requests. @remedy Nothing; it is tried again when the provider allows it. */
  'rate-limited': passing,
  /** The provider is too busy. @remedy Nothing; it is tried again. */
  overloaded: passing,
  /** The provider failed. @remedy Nothing; it is tried again. */
  'server-error': passing,
  /** The answer did not begin in time. @remedy Nothing; it is tried again. */
  timeout: passing,
  /** What came is no answer: no JSON, no choices. @remedy If it stays, check baseUrl and dialect. */
  'bad-response': passing,
  /**
   * The provider could not parse the call that its own model wrote.
   * @remedy If it stays, take another model, or prompted: json.
   */
  'bad-tool-call': passing,
  /** The stream ended without an end. @remedy Nothing; it is tried again. */
  'stream-truncated': passing,
  /** The stream made no progress for too long. @remedy Nothing; it is tried again. */
  'stream-stalled': passing,
  /**
   * No connection, or none that lasted until an answer began. Not tried again where this machine refuses it: nobody
   * listens there.
   * @remedy Check the network, baseUrl and whether the server runs.
   */
  unreachable: passing,
  /** The provider refuses the request. @remedy The message is that of the provider. */
  'invalid-request': told,
  /**
   * The provider refuses the schema of a tool or of the output.
   * @remedy Make the schema simpler; the message names the keyword.
   */
  'bad-schema': told,
  /**
   * The view is longer than the window of the model.
   * @remedy Take a model with a larger window, or set contextWindow rightly.
   */
  'context-overflow': told,
  /** The request has more bytes than the provider takes. @remedy Attach less. */
  'request-too-large': told,
  /** The key is wrong or has expired. @remedy Set a valid key. */
  auth: told,
  /** The key may not use this model. @remedy Take another model or key. */
  forbidden: told,
  /**
   * The provider has no model of that name.
   * @remedy tenon models list shows those of local servers; else see the provider.
   */
  'model-not-found': told,
  /**
   * The balance or the day's quota is used up: waiting a little does not help.
   * @remedy Pay, wait for the next day, or take another provider.
   */
  'quota-exhausted': told,
  /** The provider refuses the content. @remedy Ask otherwise, or take another model. */
  'content-filtered': told,
  /**
   * The provider refuses the conversation so far: a signature, a thought, an order of messages.
   * @remedy Report it with the run: tenon runs export.
   */
  'history-rejected': told,
  /** The address answers, but not as an API does. @remedy Check baseUrl; it usually ends in /v1. */
  'wrong-endpoint': told,
  // Rehearsals.
  /** No scene fits what was shown. @remedy Add a scene, or take a real model. */
  'rehearsal-departed': told,
  /** The file is not a rehearsal. @remedy Mend the file; the message names the place. */
  'rehearsal-invalid': told,
  // Tool definitions.
  /**
   * The definition of a tool has no certain meaning as JSON Schema.
   * @remedy Mend the schema; the message names the place.
   */
  'tool-schema-invalid': told,
  // Models in this process.
  /** The runtime for models in this process is not installed. @remedy tenon models add installs it. */
  'local-runtime-missing': told,
  /** The runtime does not load on this machine. @remedy The message says why; a server such as Ollama may work. */
  'local-runtime-failed': told,
  /** No model of that name is installed. @remedy tenon models list shows which are. */
  'local-model-unknown': told,
  /**
   * A model of this name but with other weights is there already.
   * @remedy Take another name with --as, or remove the old one.
   */
  'local-model-exists': told,
  /** The file holds no weights that can be used. @remedy Take a GGUF file. */
  'local-model-invalid': told,
  /** The process that held the model ended. @remedy Nothing; it is started again. If it stays, take a smaller model. */
  'local-crashed': passing,
  /** The weights could not be loaded. @remedy Mostly memory: take a smaller model. */
  'local-load-failed': told,
  /** The model failed while it answered. @remedy The message says why. */
  'local-failed': told,
  /** The answer was cut off because the host stopped it. @remedy Nothing. */
  'local-canceled': passing,
  /** The file is not the one that was announced. @remedy Fetch it again; if it stays, do not use it. */
  'digest-mismatch': told,
  /** The download broke off. @remedy Try again; it goes on where it was. */
  'download-failed': passing,
  /** The server does not give the file out. @remedy Sign in there, or take another source. */
  'download-refused': told,
  /** Weights inside a Python package need Python to be fetched. @remedy Install Python, or name a GGUF file. */
  'python-missing': told,
  /** The disk is full. @remedy Make room. */
  'disk-full': told,
} as const satisfies ErrorTable

export type ModelsErrorCode = keyof typeof MODELS_ERRORS

export class ModelsError extends TenonError {
  override readonly name = 'ModelsError'

  constructor(code: ModelsErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, MODELS_ERRORS[code], options)
  }
}
