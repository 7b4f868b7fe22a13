import { type AsyncCompleter, createInterface, type Interface } from 'node:readline'
import type { Io } from '../io.js'

/** What may stand in place of a part of the line, and that part: as `node:readline` takes it. */
export type Completions = readonly [found: readonly string[], of: string]

/** What a half-typed line may become, for Tab. */
export type Complete = (typed: string) => Promise<readonly string[]>

/** A person at a terminal, asked one thing at a time. */
export interface Asker {
  say(line: string): void
  /** What the person typed, or undefined when they closed the input or `signal` took the question back. */
  question(prompt: string, signal: AbortSignal, complete?: Complete): Promise<string | undefined>
}

/** As `node:readline` wants it; a completion that fails completes nothing. */
export function completerOf(complete: (line: string) => Promise<Completions>): AsyncCompleter {
  return (line, done) => {
    complete(line).then(
      ([found, of]) => done(null, [[...found], of]),
      () => done(null, [[], line]),
    )
  }
}

/** Asks on standard error, so that standard output stays the result's. Ctrl-C is passed on as if nobody listened. */
export function terminalAsker(io: Io): Asker {
  return {
    say: (line) => void io.stderr.write(`${line}\n`),
    question(prompt, signal, complete) {
      if (signal.aborted) return Promise.resolve(undefined)
      io.stdin.ref()
      const lines: Interface = createInterface({
        input: io.stdin,
        output: io.stderr,
        terminal: true,
        historySize: 0,
        ...(complete === undefined ? {} : { completer: completerOf(async (line) => [await complete(line), line]) }),
      })
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
