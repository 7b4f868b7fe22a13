import type { Json } from '../content/json.js'

/** What everyone may know about an error without reading its text. */
export type ErrorTraits = {
  /** Trying the same again later may work. */
  readonly retryable: boolean
  /** The message may be shown to a model. */
  readonly modelVisible: boolean
  /** The message may be shown to the user. */
  readonly userVisible: boolean
  /** What failed may have taken effect all the same: a call that ends with it is in doubt. */
  readonly inDoubt?: boolean
  /** What somebody typed, or wrote into a file that was named, is wrong: a command ends with the code for that. */
  readonly usage?: boolean
}

/** One table per package: the code is stable, the message is not. */
export type ErrorTable = Readonly<Record<string, ErrorTraits>>

export type ErrorOptions = {
  readonly cause?: unknown
  /** More for a program to read: fields, positions, candidates. Never secrets. */
  readonly detail?: Json
  /** Milliseconds after which a retry makes sense, where the other side said so. */
  readonly retryAfterMs?: number
}

/** The base of every error that Tenon throws. `code` is one of the package's table. */
export class TenonError extends Error {
  override readonly name: string = 'TenonError'
  readonly detail: Json | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    readonly code: string,
    message: string,
    readonly traits: ErrorTraits,
    options: ErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.detail = options.detail
    this.retryAfterMs = options.retryAfterMs
  }
}

/** An error as data: what the journal, a client and `--json` get. */
export type ErrorRecord = {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly detail?: Json
  readonly retryAfterMs?: number
}

export function errorRecord(error: TenonError): ErrorRecord {
  return {
    code: error.code,
    message: error.message,
    retryable: error.traits.retryable,
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  }
}

/** True across duplicate installs of this package, where `instanceof` is not. */
export function isTenonError(value: unknown): value is TenonError {
  return value instanceof Error && typeof (value as { code?: unknown }).code === 'string' && 'traits' in value
}
