import type { ServerResponse } from 'node:http'
import { isTenonError } from '@tenon/kernel'

/** HTTP statuses of errors that a client may be told; all others are told as `internal`. */
const STATUSES: Readonly<Record<string, number>> = {
  'host-refused': 403,
  'origin-refused': 403,
  unauthenticated: 401,
  forbidden: 403,
  'path-unknown': 404,
  'server-stopping': 503,
}

/** Answers with `{"error": {"code", "message"}}`. What a client is not to know is told as `internal`. */
export function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const status = isTenonError(error) ? STATUSES[error.code] : undefined
  const told =
    isTenonError(error) && status !== undefined
      ? { code: error.code, message: error.message }
      : { code: 'internal', message: 'The server failed to answer this request.' }
  response.writeHead(status ?? 500, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: told }))
}
