import { isTenonError } from '@tenon/kernel'
import { EXIT } from './exit-code.js'
import type { Io } from './io.js'
import { safeText } from './printer/safe-text.js'

/** Tells a person what went wrong, and returns the exit code. */
export function reportError(error: unknown, io: Io): number {
  if (isTenonError(error)) {
    io.stderr.write(`error: ${safeText(error.message)} [${error.code}]\n`)
    if (error.code === 'run-rejected') return EXIT.refused
    return error.traits.usage === true ? EXIT.usage : EXIT.failed
  }
  const text = error instanceof Error ? error.message : String(error)
  io.stderr.write(`error: ${safeText(text)} [unexpected]\n`)
  if (io.environment.TENON_DEBUG && error instanceof Error) io.stderr.write(`${error.stack}\n`)
  else io.stderr.write('This should not happen. TENON_DEBUG=1 shows where it came from.\n')
  return EXIT.failed
}
