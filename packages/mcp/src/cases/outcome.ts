import { isTenonError, type Json, type JsonObject } from '@tenon/kernel'
import { isMcpError, rpcDetail } from '../errors.js'
import { statusOf } from '../upstream/http-failure.js'

/** What one operation came to, in the words of the scenarios. */
export type CaseOutcome = {
  readonly outcome: string
  readonly error?: { readonly message: string; readonly code?: number; readonly status?: number }
  readonly result?: JsonObject
  /** What the model is shown, as text. */
  readonly text?: string
  readonly blocks?: readonly string[]
  readonly structured?: Json
  readonly tools?: readonly { readonly name: string; readonly shownName: string; readonly description: string }[]
  readonly progress?: readonly number[]
  readonly progressAt?: readonly number[]
  readonly handle?: Json
  readonly artifactBytes?: number
}

export const OK: CaseOutcome = { outcome: 'ok' }

/** The codes of this package are the words of the scenarios with a prefix. */
export function outcomeOf(thrown: unknown): CaseOutcome {
  // Doubt is what the host makes of a loss; the scenarios name the loss.
  const error = isMcpError(thrown, 'mcp-in-doubt') ? thrown.cause : thrown
  if (!isTenonError(error)) return { outcome: 'crash', error: { message: String(error) } }
  const status = isMcpError(error) ? statusOf(error) : undefined
  const code = rpcDetail(error)?.code
  return {
    outcome: error.code.replace(/^mcp-/, ''),
    error: {
      message: error.message,
      ...(code === undefined ? {} : { code }),
      ...(status === undefined ? {} : { status }),
    },
  }
}
