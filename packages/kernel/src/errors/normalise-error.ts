import type { Redact } from '../ledger/redact.js'
import { harmless } from '../ledger/redact.js'
import type { TenonError } from './error-table.js'
import { isTenonError } from './error-table.js'
import type { KernelErrorCode } from './kernel-errors.js'
import { KernelError } from './kernel-errors.js'

/**
 * Turns whatever was thrown into one of our errors: ours pass unchanged, anything else gets `code`, a message without
 * stack, path or secret, and the original as `cause`.
 */
export function normaliseError(thrown: unknown, code: KernelErrorCode, redact: Redact = (text) => text): TenonError {
  if (isTenonError(thrown)) return thrown
  const said = saidBy(thrown)
  return new KernelError(code, harmless(said, redact), { cause: thrown })
}

/** Of whatever has a message: an error of another realm is no `Error` here. */
function saidBy(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown
  const { message, name } = Object(thrown) as { readonly message?: unknown; readonly name?: unknown }
  if (typeof message === 'string' && message !== '') return message
  return thrown instanceof Error && typeof name === 'string' ? name : 'an error without a message'
}
