import { createInterface, type Interface } from 'node:readline'
import { type Asker, type Complete, type Completions, completerOf } from './consent/asker.js'
import type { Io } from './io.js'
import { isInteractive } from './io.js'

const PROMPT = '> '

/**
 * The one reader of what is typed during a chat: goals, answers to questions, and words to a run that works. Lines that
 * nobody waits for go to whoever steers, or wait. Lives as long as the chat.
 */
export class ChatLines implements Asker {
  readonly #io: Io
  readonly #lines: Interface
  readonly #typed: string[] = []
  readonly #interactive: boolean
  #waiting: ((line: string | undefined) => void) | undefined
  #steering: ((line: string) => void) | undefined
  /** For the line that is being read; there is none while a run works. */
  #complete: ((line: string) => Promise<Completions>) | undefined
  #closed = false
  /** Output that waits until a half-typed line is finished. */
  #held = ''
  #write: ((text: string) => void) | undefined
  #atLineStart = true

  constructor(io: Io) {
    this.#io = io
    this.#interactive = isInteractive(io)
    this.#lines = createInterface({
      input: io.stdin,
      output: this.#interactive ? io.stderr : undefined,
      terminal: this.#interactive,
      historySize: 200,
      completer: completerOf(async (line) => (await this.#complete?.(line)) ?? [[], line]),
    })
    this.#lines.setPrompt('')
    // A line that is begun while a run prints begins on a line of its own.
    if (this.#interactive)
      io.stdin.prependListener('keypress', () => {
        if (this.#waiting === undefined && this.#lines.line === '' && !this.#atLineStart) this.#write?.('\n')
        this.#atLineStart = true
      })
    this.#lines.on('line', (line) => this.#take(line))
    this.#lines.on('SIGINT', () => this.#interrupt())
    this.#lines.on('close', () => {
      this.#closed = true
      this.#release()
      this.#waiting?.(undefined)
    })
  }

  say(line: string): void {
    this.#io.stderr.write(`${line}\n`)
  }

  /** The next line; undefined when the input has ended. */
  next(complete: (line: string) => Promise<Completions>): Promise<string | undefined> {
    return this.#read(PROMPT, complete)
  }

  /** A question of a run: what was typed before it was asked is no answer to it. */
  question(prompt: string, signal: AbortSignal, complete?: Complete): Promise<string | undefined> {
    if (signal.aborted) return Promise.resolve(undefined)
    if (this.#interactive) this.#typed.length = 0
    const withdraw = (): void => this.#waiting?.(undefined)
    signal.addEventListener('abort', withdraw)
    const completions = complete && (async (line: string): Promise<Completions> => [await complete(line), line])
    return this.#read(prompt, completions).finally(() => signal.removeEventListener('abort', withdraw))
  }

  /** Lines that nobody asked for are told to the run. */
  steer(tell: (line: string) => void): () => void {
    this.#steering = tell
    return () => {
      this.#steering = undefined
    }
  }

  putBack(line: string): void {
    this.#typed.unshift(line)
  }

  /** Output that must not run into a half-typed line. */
  shield(write: (text: string) => void): (text: string) => void {
    this.#write = write
    return (text) => {
      if (this.#interactive && this.#waiting === undefined && this.#lines.line !== '') this.#held += text
      else {
        this.#release()
        this.#atLineStart = text.endsWith('\n')
        write(text)
      }
    }
  }

  close(): void {
    this.#lines.close()
  }

  #read(prompt: string, complete?: (line: string) => Promise<Completions>): Promise<string | undefined> {
    this.#release()
    this.#complete = complete
    const ready = this.#typed.shift()
    if (ready !== undefined) return Promise.resolve(ready)
    if (this.#closed) return Promise.resolve(undefined)
    if (this.#interactive) {
      this.#lines.setPrompt(prompt)
      this.#lines.prompt()
    }
    return new Promise((resolve) => {
      this.#waiting = (line) => {
        this.#waiting = undefined
        this.#complete = undefined
        this.#lines.setPrompt('')
        resolve(line)
      }
    })
  }

  #take(line: string): void {
    if (this.#waiting !== undefined) this.#waiting(line)
    else if (this.#interactive && this.#steering !== undefined && line.trim() !== '') this.#steering(line)
    else this.#typed.push(line)
    this.#release()
  }

  #release(): void {
    const held = this.#held
    this.#held = ''
    if (held !== '') this.#write?.(held)
  }

  /** While a run works Ctrl-C is its; at the prompt it empties the line, and leaves when there is none. */
  #interrupt(): void {
    if (this.#steering !== undefined) process.emit('SIGINT')
    else if (this.#lines.line !== '') {
      this.#io.stderr.write('\n')
      this.#lines.write(null, { ctrl: true, name: 'u' })
      this.#lines.prompt()
    } else this.#lines.close()
  }
}
