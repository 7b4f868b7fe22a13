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
  const said =
    thrown instanceof Error
      ? thrown.message || thrown.name
      : typeof thrown === 'string'
        ? thrown
        : 'an error without a message'
  return new KernelError(code, harmless(said, redact), { cause: thrown })
}
