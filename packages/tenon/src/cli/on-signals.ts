import { constants } from 'node:os'

type Reactions = {
  /** The first Ctrl-C. */
  readonly cancel: () => void
  /** The second one, or the terminal or the system wants the process to go: the run is left as it is. */
  readonly leave: (code: number) => void
}

const GOING = ['SIGTERM', 'SIGHUP'] as const

/** Ctrl-C cancels once and leaves the second time; being told to go leaves at once. Returns how to stop listening. */
export function onSignals(reactions: Reactions): () => void {
  let interrupts = 0
  const interrupt = (): void => {
    interrupts++
    if (interrupts === 1) reactions.cancel()
    else reactions.leave(128 + constants.signals.SIGINT)
  }
  const going = GOING.map((signal) => [signal, () => reactions.leave(128 + constants.signals[signal])] as const)
  process.on('SIGINT', interrupt)
  for (const [signal, leave] of going) process.on(signal, leave)
  return () => {
    process.off('SIGINT', interrupt)
    for (const [signal, leave] of going) process.off(signal, leave)
  }
}
