import { McpError } from '../errors.js'

/** Lines that are no message, before the first that is one: more than any banner has. */
const MOST_LINES = 100
/** Characters of a line in a message to a person. */
const SHOWN = 200

/**
 * Tells a process that does not speak MCP from one that is slow. One that greets on stdout and then answers is let be;
 * one that only ever writes text there is given up after many lines, or a while after the first.
 */
export class NoiseWatch {
  #first: string | undefined
  #lines = 0
  #timer: NodeJS.Timeout | undefined
  #over = false

  constructor(
    readonly name: string,
    readonly patienceMs: number,
    readonly giveUp: (error: McpError) => void,
  ) {}

  heardNoise(line: string): void {
    if (this.#over) return
    this.#first ??= line.slice(0, SHOWN)
    this.#timer ??= setTimeout(() => this.#giveUp(), this.patienceMs)
    if (++this.#lines >= MOST_LINES) this.#giveUp()
  }

  /** It speaks, or it has ended: whatever else it writes is no reason to give it up. */
  end(): void {
    this.#over = true
    clearTimeout(this.#timer)
  }

  #giveUp(): void {
    this.end()
    const lines = this.#lines === 1 ? 'a line' : `${this.#lines} lines`
    this.giveUp(
      new McpError(
        'mcp-stdout-noise',
        `${this.name} wrote ${lines} on stdout and no message of MCP, first: ${JSON.stringify(this.#first)}. ` +
          'Is it a server that speaks MCP over stdio? If so, its log belongs on stderr.',
        { detail: { sent: false } },
      ),
    )
  }
}
