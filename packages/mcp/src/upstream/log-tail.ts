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

  /** The last lines that are not empty. */
  lastLines(count: number): string {
    const lines = this.#text.split(/\r?\n/).filter((line) => line.trim() !== '')
    return lines.slice(-count).join('\n').slice(-2_000)
  }
}
