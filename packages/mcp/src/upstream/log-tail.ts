/** A line of a stack, as JavaScript and Python write it. */
const FRAME = /^\s+(?:at |File "|\.\.\. \d+ lines matching)/

/** The last of what a process wrote, bounded, for a person who asks why it failed. */
export class LogTail {
  #text = ''

  constructor(readonly limit = 32_768) {}

  add(text: string): void {
    this.#text = (this.#text + text.slice(-this.limit)).slice(-this.limit)
  }

  get text(): string {
    return this.#text
  }
}

/** The last lines that say something: a long stack of frames would push the error itself out. */
export function lastWords(log: string, count = 10): string {
  const lines = log.split(/\r?\n/).filter((line) => line.trim() !== '' && !FRAME.test(line))
  return lines.slice(-count).join('\n').slice(-2_000)
}
