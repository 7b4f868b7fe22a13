import { LineSplitter, type SplitLine } from './line-splitter.js'

/** Cuts an HTTP body into messages: the data of each server-sent event, or the body as a whole. Bounded like a line. */
export class EventSplitter {
  readonly #lines: LineSplitter
  readonly #streamed: boolean
  readonly #limit: number
  readonly #onMessage: (message: SplitLine) => void
  #data: SplitLine[] = []

  constructor(streamed: boolean, limit: number, onMessage: (message: SplitLine) => void) {
    this.#streamed = streamed
    this.#limit = limit
    this.#onMessage = onMessage
    this.#lines = new LineSplitter(limit, (line) => this.#line(line))
  }

  write(chunk: Buffer): void {
    this.#lines.write(chunk)
  }

  end(): void {
    this.#lines.end()
    this.#flush()
  }

  #line(line: SplitLine): void {
    const head = line.head.at(-1) === RETURN && line.digest === undefined ? line.head.subarray(0, -1) : line.head
    if (!this.#streamed) this.#keep({ ...line, head })
    else if (head.length === 0) this.#flush()
    else if (head.subarray(0, DATA.length).equals(DATA)) {
      const skipped = DATA.length + (head[DATA.length] === SPACE ? 1 : 0)
      this.#keep({ ...line, head: head.subarray(skipped), bytes: line.bytes - skipped })
    }
  }

  #keep(line: SplitLine): void {
    const kept = this.#data.reduce((sum, { head }) => sum + head.length, 0)
    if (kept < this.#limit) this.#data.push(line)
  }

  #flush(): void {
    const [first, ...rest] = this.#data
    this.#data = []
    if (first === undefined) return
    if (rest.length === 0) this.#onMessage(first)
    else {
      const parts = [first, ...rest].flatMap(({ head }) => [head, NEWLINE]).slice(0, -1)
      const head = Buffer.concat(parts)
      const digest = [first, ...rest].find((line) => line.digest !== undefined)?.digest
      this.#onMessage({ head, bytes: [first, ...rest].reduce((sum, { bytes }) => sum + bytes, 0), digest })
    }
  }
}

const RETURN = 13
const SPACE = 32
const NEWLINE = Buffer.from('\n')
const DATA = Buffer.from('data:')
