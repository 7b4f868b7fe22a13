import type { ServerResponse } from 'node:http'
import { type ErrorRecord, errorRecord, isTenonError } from '@tenon/kernel'
import { statusOf } from '../answer-error.js'

/** The body of an error as clients of the OpenAI API read it. */
export type OpenAiError = {
  readonly error: {
    readonly message: string
    readonly type: 'invalid_request_error' | 'server_error'
    readonly param: null
    readonly code: string
  }
}

const INTERNAL: ErrorRecord = {
  code: 'internal',
  message: 'The server failed to answer this request.',
  retryable: false,
}

/** What a client is not to know is told as `internal`. */
const toldError = (error: unknown): ErrorRecord =>
  isTenonError(error) && statusOf(error) !== undefined ? errorRecord(error) : INTERNAL

export const openAiError = ({ message, code }: ErrorRecord, status = 500): OpenAiError => ({
  error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code },
})

/** Answers a request that was refused or went wrong before its run began. True where the client was told what. */
export function answerOpenAiError(response: ServerResponse, error: unknown): boolean {
  if (response.headersSent) {
    response.destroy()
    return false
  }
  const status = (isTenonError(error) ? statusOf(error) : undefined) ?? 500
  const told = toldError(error)
  response.writeHead(status, { 'content-type': 'application/json', ...retryHeader(told) })
  response.end(JSON.stringify(openAiError(told, status)))
  return told !== INTERNAL
}

/** Clients of OpenAI repeat what failed with 5xx by themselves. A run that has begun must not begin again so. */
export const retryHeader = ({ retryable }: Pick<ErrorRecord, 'retryable'>): Readonly<Record<string, string>> => ({
  'x-should-retry': String(retryable),
})
