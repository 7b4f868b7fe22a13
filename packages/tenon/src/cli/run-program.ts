import { EXIT } from './exit-code.js'
import type { Io } from './io.js'
import { buildProgram } from './program.js'

/** Runs one command line. Never throws; returns the exit code. */
export async function runProgram(argv: readonly string[], io: Io, version: string): Promise<number> {
  let code: number = EXIT.completed
  const program = buildProgram(argv[0], io, version, (ended) => {
    code = ended
  })
  const strict = (command: typeof program): void => {
    command.exitOverride()
    for (const inner of command.commands) strict(inner)
  }
  strict(program)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    if (isCommanderExit(error)) return error.exitCode === 0 ? EXIT.completed : EXIT.usage
    const { reportError } = await import('./report-error.js')
    return reportError(error, io)
  }
}

/** Help and usage errors have been printed when they get here. */
function isCommanderExit(error: unknown): error is { exitCode: number } {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('commander.')
}
