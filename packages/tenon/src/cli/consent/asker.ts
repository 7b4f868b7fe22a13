import { createInterface, type Interface } from 'node:readline'
import type { Io } from '../io.js'

/** A person at a terminal, asked one thing at a time. */
export interface Asker {
  say(line: string): void
  /** What the person typed, or undefined when they closed the input or `signal` took the question back. */
  question(prompt: string, signal: AbortSignal): Promise<string | undefined>
}

/** Asks on standard error, so that standard output stays the result's. Ctrl-C is passed on as if nobody listened. */
export function terminalAsker(io: Io): Asker {
  return {
    say: (line) => void io.stderr.write(`${line}\n`),
    question(prompt, signal) {
      if (signal.aborted) return Promise.resolve(undefined)
      io.stdin.ref()
      const lines: Interface = createInterface({ input: io.stdin, output: io.stderr, terminal: true, historySize: 0 })
      let interrupted = false
      return new Promise((resolve) => {
        const settle = (answer: string | undefined): void => {
          signal.removeEventListener('abort', withdraw)
          resolve(answer)
          lines.close()
        }
        const withdraw = (): void => {
          if (!interrupted) io.stderr.write('\n')
          settle(undefined)
        }
        signal.addEventListener('abort', withdraw)
        lines.on('SIGINT', () => {
          interrupted = true
          io.stderr.write('\n')
          process.emit('SIGINT')
        })
        lines.on('close', () => {
          // A pause that comes while a read starts leaves the terminal open, and with it the process after its end.
          io.stdin.unref()
          resolve(undefined)
        })
        lines.question(prompt, settle)
      })
    },
  }
}
