import type { ServerResponse } from 'node:http'
import { errorRecord, isTenonError, type TenonError } from '@tenon/kernel'

/** HTTP statuses of errors that a client may be told; all others are told as `internal`. */
const STATUSES: Readonly<Record<string, number>> = {
  'host-refused': 403,
  'origin-refused': 403,
  unauthenticated: 401,
  forbidden: 403,
  'path-unknown': 404,
  'model-unknown': 404,
  'response-unknown': 404,
  'method-unknown': 405,
  'request-invalid': 400,
  'cursor-invalid': 400,
  'media-type': 415,
  'body-too-large': 413,
  'run-unknown': 404,
  'turn-unknown': 404,
  'request-unknown': 404,
  'artifact-unknown': 404,
  'request-answered': 409,
  'run-ended': 409,
  'run-kept': 409,
  'run-elsewhere': 409,
  'key-reused': 422,
  'agent-unknown': 422,
  'context-unknown': 422,
  'answer-invalid': 422,
  'fork-invalid': 422,
  'artifact-damaged': 500,
  'too-many-runs': 429,
  'too-many-streams': 503,
  'store-busy': 503,
  'store-full': 503,
  'server-stopping': 503,
}

/** The HTTP status of an error that a client may be told; undefined for any other. */
export const statusOf = ({ code }: TenonError): number | undefined => STATUSES[code]

/**
 * Answers with `{"error": {"code", "message", "retryable", "detail"?}}`. What a client is not to know is told as
 * `internal`. True where the client was told.
 */
export function answerError(response: ServerResponse, error: unknown): boolean {
  if (response.headersSent) {
    response.destroy()
    return false
  }
  const status = isTenonError(error) ? statusOf(error) : undefined
  const told =
    isTenonError(error) && status !== undefined
      ? errorRecord(error)
      : { code: 'internal', message: 'The server failed to answer this request.', retryable: false }
  response.writeHead(status ?? 500, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: told }))
  return status !== undefined
}
