import { createHash, type Hash } from 'node:crypto'

/** A line without its end, or as much of a long one as is kept. */
export type SplitLine = {
  readonly head: Buffer
  readonly bytes: number
  /** SHA-256 of the whole line, where `head` is not all of it. */
  readonly digest: string | undefined
}

const NEWLINE = 10

/** Cuts a stream of bytes into lines and keeps at most `limit` bytes of each, however long the line is. */
export class LineSplitter {
  readonly #limit: number
  readonly #onLine: (line: SplitLine) => void
  #parts: Buffer[] = []
  #kept = 0
  #bytes = 0
  #hash: Hash | undefined

  constructor(limit: number, onLine: (line: SplitLine) => void) {
    this.#limit = limit
    this.#onLine = onLine
  }

  write(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, at))
      this.#finish()
      from = at + 1
    }
    if (from < chunk.length) this.#take(chunk.subarray(from))
  }

  /** What is left without a line end is a line too. */
  end(): void {
    if (this.#bytes > 0) this.#finish()
  }

  #take(part: Buffer): void {
    this.#bytes += part.length
    if (this.#hash === undefined && this.#bytes > this.#limit) {
      this.#hash = createHash('sha256')
      for (const earlier of this.#parts) this.#hash.update(earlier)
    }
    this.#hash?.update(part)
    const room = this.#limit - this.#kept
    if (room <= 0) return
    // A copy: the chunk belongs to whoever passes it on.
    const kept = Buffer.from(part.subarray(0, room))
    this.#parts.push(kept)
    this.#kept += kept.length
  }

  #finish(): void {
    const line = { head: Buffer.concat(this.#parts), bytes: this.#bytes, digest: this.#hash?.digest('hex') }
    this.#parts = []
    this.#kept = 0
    this.#bytes = 0
    this.#hash = undefined
    this.#onLine(line)
  }
}
