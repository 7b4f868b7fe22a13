import { isTenonError } from '@tenon/kernel'
import { EXIT } from './exit-code.js'
import type { Io } from './io.js'
import { safeText } from './printer/safe-text.js'

/** Errors that are mistakes of whoever typed the command or wrote the configuration. */
const USAGE: ReadonlySet<string> = new Set([
  'config-invalid',
  'config-secret-missing',
  'usage',
  'run-unknown',
  'run-ambiguous',
  'turn-unknown',
  'fork-invalid',
  'run-kept',
  'agent-unknown',
  'request-unknown',
  'answer-invalid',
  'pattern-invalid',
  'file-unreadable',
  'file-too-large',
  'file-not-text',
  'path-missing',
  'path-kind',
  'model-unknown',
])

/** Tells a person what went wrong, and returns the exit code. */
export function reportError(error: unknown, io: Io): number {
  if (isTenonError(error)) {
    io.stderr.write(`error: ${safeText(error.message)} [${error.code}]\n`)
    if (error.code === 'run-rejected') return EXIT.refused
    return USAGE.has(error.code) ? EXIT.usage : EXIT.failed
  }
  const text = error instanceof Error ? error.message : String(error)
  io.stderr.write(`error: ${safeText(text)} [unexpected]\n`)
  if (io.environment.TENON_DEBUG && error instanceof Error) io.stderr.write(`${error.stack}\n`)
  else io.stderr.write('This should not happen. TENON_DEBUG=1 shows where it came from.\n')
  return EXIT.failed
}
