import type { JsonRpcId } from './json-rpc.js'
import { sniffId } from './json-rpc.js'

const NEWLINE = 10
/** Bytes kept of each end of a line that is too long. */
const KEPT = 2_048

/** Cuts bytes into lines. A line over the limit is dropped as it comes, and only that line. */
export class LineSplitter {
  #parts: Buffer[] = []
  #bytes = 0
  #head: Buffer | undefined
  #tail = Buffer.alloc(0)

  constructor(
    readonly limit: number,
    readonly onLine: (line: Buffer) => void,
    readonly onTooLong: (bytes: number, id: JsonRpcId | undefined) => void,
  ) {}

  push(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, at))
      this.#endLine()
      from = at + 1
    }
    if (from < chunk.length) this.#take(chunk.subarray(from))
  }

  /** What came after the last line end. */
  get rest(): Buffer {
    return Buffer.concat(this.#parts)
  }

  #take(bytes: Buffer): void {
    this.#bytes += bytes.length
    if (this.#head !== undefined) {
      this.#tail = Buffer.concat([this.#tail, bytes.subarray(-KEPT)]).subarray(-KEPT)
      return
    }
    this.#parts.push(bytes)
    if (this.#bytes <= this.limit) return
    const all = Buffer.concat(this.#parts)
    this.#head = Buffer.from(all.subarray(0, KEPT))
    this.#tail = Buffer.from(all.subarray(-KEPT))
    this.#parts = []
  }

  #endLine(): void {
    const { length } = this.#parts
    const [first] = this.#parts
    const [bytes, head] = [this.#bytes, this.#head]
    const line = length === 1 && first !== undefined ? first : Buffer.concat(this.#parts)
    this.#parts = []
    this.#bytes = 0
    this.#head = undefined
    if (head === undefined) this.onLine(line)
    else this.onTooLong(bytes, sniffId(head.toString('utf8'), this.#tail.toString('utf8')))
  }
}
