import { type ErrorOptions, type ErrorTable, TenonError } from '@tenon/kernel'

const told = { retryable: false, modelVisible: true, userVisible: true } as const
const internal = { retryable: false, modelVisible: false, userVisible: true } as const
const usage = { ...internal, usage: true } as const
const toldUsage = { ...told, usage: true } as const
const later = { retryable: true, modelVisible: true, userVisible: true } as const

/** Every error of the tenon package. Codes are stable. */
export const HOST_ERRORS = {
  // schemas and tools
  /**
   * Something that should be JSON Schema is not, or is too large to be compiled.
   * @remedy Mend the schema; the message names the place.
   */
  'schema-invalid': internal,
  /** A Standard Schema that cannot say its JSON Schema. @remedy Wrap it in withJsonSchema, or write JSON Schema. */
  'schema-not-shown': internal,
  // files
  /**
   * The path leads out of the workspace.
   * @remedy Take a path inside, or set tools.workspace to the folder that is meant.
   */
  'path-outside': told,
  /** There is no such file or folder. @remedy list_files shows what there is. */
  'path-missing': toldUsage,
  /**
   * A folder where a file is wanted, a file where a folder is, or a device, socket or pipe.
   * @remedy Name the other kind.
   */
  'path-kind': toldUsage,
  /**
   * The system, or Tenon for its own files, does not let it be opened.
   * @remedy Change the rights of the file if it should be.
   */
  'path-denied': told,
  /** No path: empty, or with characters that no path has. @remedy Write it as list_files shows it. */
  'path-invalid': toldUsage,
  /** The file is larger than the tool takes. @remedy Read a part of it, or split it. */
  'file-too-large': toldUsage,
  /** The file is not UTF-8. @remedy Name its encoding, or take another tool. */
  'file-not-text': toldUsage,
  /** The disk may not be written. @remedy Choose a folder that may. */
  'disk-read-only': told,
  /** The disk is full; nothing was written. @remedy Make room. */
  'disk-full': told,
  /** Somebody else changed the file while a tool worked on it. @remedy Read it again, then repeat the edit. */
  'file-changed': later,
  /** A range that begins after the end. @remedy The message says how long the file is. */
  'range-invalid': told,
  /** The old text does not occur. @remedy Read the file and copy the text exactly. */
  'edit-no-match': told,
  /** The old text occurs several times. @remedy Take more text around it; the message names the lines. */
  'edit-ambiguous': told,
  /** No regular expression. @remedy The message says where it ends to be one. */
  'pattern-invalid': toldUsage,
  /** The expression took too long. @remedy Make it simpler, or search for plain text. */
  'pattern-too-slow': told,
  /** An AGENTS.md that was cut or left out. @remedy Shorten the file. */
  'instructions-too-large': internal,
  // the web
  /** No address of the web. @remedy Write it with http:// or https://. */
  'url-invalid': told,
  /** The address is private or reserved. @remedy tools.fetch.allow names hosts that may be reached all the same. */
  'url-refused': told,
  /** The server did not answer, or with an error. @remedy Try later, or another address. */
  'fetch-failed': later,
  /** The page is larger than is taken. @remedy Take a smaller page. */
  'fetch-too-large': told,
  /** The page did not come in time. @remedy Try later. */
  'fetch-timeout': later,
  /** Neither text nor a picture. @remedy Take another page. */
  'fetch-not-text': told,
  // configuration
  /**
   * One or more mistakes in a configuration, each with its place and the fix.
   * @remedy Mend the lines that the message names.
   */
  'config-invalid': usage,
  /**
   * A key of the configuration needs an environment variable that is not set.
   * @remedy Set the variable that the message names.
   */
  'config-secret-missing': usage,
  /** A file that was named cannot be read. @remedy Check its path and rights. */
  'file-unreadable': usage,
  // the server
  /**
   * The name that a request was sent to is none of this server's.
   * @remedy Reach the server by a name that it knows, or add that name.
   */
  'host-refused': internal,
  /** A web page of somewhere else asks. @remedy Call from a page of this server, or without a browser. */
  'origin-refused': internal,
  /** Nobody knows who calls. @remedy Send one of the keys of serve.access. */
  unauthenticated: internal,
  /** Known, and without the scope that this needs. @remedy Use a key with that scope. */
  forbidden: internal,
  /** There is no such route. @remedy GET /openapi.json lists the routes. */
  'path-unknown': internal,
  /**
   * A parameter, a header or a body is not as the API describes it.
   * @remedy Mend what the message names; GET /openapi.json describes it.
   */
  'request-invalid': internal,
  /** The body has another media type than is read. @remedy Send application/json. */
  'media-type': internal,
  /** The body is longer than is read. @remedy Send less, or raise serve.bodyLimit. */
  'body-too-large': internal,
  /** The route does not have this method. @remedy GET /openapi.json lists the routes. */
  'method-unknown': internal,
  /** The model is none of the public agents. @remedy GET /v1/models lists those there are. */
  'model-unknown': usage,
  /**
   * There is no conversation of this id, or not for this key.
   * @remedy Take the contextId of a run of the same key, or leave it out for a new one.
   */
  'context-unknown': internal,
  /** There is no response of this id, or not for this key. @remedy Take an id that this server gave to the same key. */
  'response-unknown': internal,
  /** Somebody else's answer to a question was first. @remedy Nothing; the first answer stands in the reply. */
  'request-answered': internal,
  /** An idempotency key was used for another request. @remedy Take a new Idempotency-Key for a new request. */
  'key-reused': internal,
  /** The run belongs to another folder than this server's. @remedy Use the command or the server of that folder. */
  'run-elsewhere': internal,
  /** The caller has as many open runs as it may have. @remedy Let runs end, or raise serve.openTasks. */
  'too-many-runs': { retryable: true, modelVisible: false, userVisible: true },
  /** The run has no such turn. @remedy tenon runs show lists its turns. */
  'turn-unknown': usage,
  /** The caller follows as many streams as it may. @remedy End some, then try again. */
  'too-many-streams': { retryable: true, modelVisible: false, userVisible: true },
  /** A stream was ended because nobody read it. @remedy Connect again with Last-Event-ID. */
  'reader-too-slow': internal,
  /** The server has been told to stop. @remedy Come back when it runs again; runs go on then. */
  'server-stopping': { retryable: true, modelVisible: false, userVisible: true },
  // runs of a library
  /** What was given to agent() or run() makes none. @remedy The message names the option and what it takes. */
  'options-invalid': usage,
  /**
   * The run waits for an answer and nobody here can give one.
   * @remedy Answer: tenon runs answer, run.answer(…), or POST /inbox.
   */
  'input-required': { retryable: true, modelVisible: false, userVisible: true },
  /** Somebody canceled the run. @remedy Nothing. */
  'run-canceled': internal,
  // the command
  /** Something on the command line makes no sense here. @remedy The message says what is wanted; --help shows it. */
  usage: usage,
  /** What standard output goes to cannot be written, such as a full disk. @remedy Make room, or send it elsewhere. */
  'output-unwritable': internal,
  /** Several runs begin like this. @remedy Write more of the id. */
  'run-ambiguous': usage,
  // outputs
  /** There is no artifact of that handle. @remedy Take a handle that the view shows. */
  'artifact-missing': told,
} as const satisfies ErrorTable

export type HostErrorCode = keyof typeof HOST_ERRORS

export class HostError extends TenonError {
  override readonly name = 'HostError'

  constructor(code: HostErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, HOST_ERRORS[code], options)
  }
}
