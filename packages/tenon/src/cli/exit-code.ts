import type { RunState } from '@tenon/kernel'

/** What the command answers to whoever called it. */
export const EXIT = {
  completed: 0,
  failed: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** The run is parked on a question; it goes on after an answer. */
  inputRequired: 3,
  /** Refused before any work, or failed after what it wanted was denied. */
  refused: 4,
  canceled: 130,
  /** Whoever read the events closed the pipe, and the run was left: what a shell says of SIGPIPE. */
  unread: 141,
} as const

/** The code for a run as it stands. */
export function exitCodeOf(run: RunState): number {
  switch (run.state) {
    case 'completed':
      return EXIT.completed
    case 'canceled':
      return EXIT.canceled
    case 'rejected':
      return EXIT.refused
    case 'failed':
      return deniedLast(run) ? EXIT.refused : EXIT.failed
    case 'input-required':
    case 'auth-required':
      return EXIT.inputRequired
    default:
      return EXIT.failed
  }
}

const deniedLast = (run: RunState): boolean =>
  [...run.turns.values()]
    .findLast((turn) => turn.calls.length > 0)
    ?.calls.some((callId) => run.calls.get(callId)?.outcome === 'denied') === true
