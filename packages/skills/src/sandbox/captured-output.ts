import { StringDecoder } from 'node:string_decoder'
import type { CapturedOutput } from './sandbox.js'

/** Keeps the beginning of a stream, up to a bound, and counts the rest. Pieces are whole characters. */
export class OutputCapture {
  readonly #decoder = new StringDecoder('utf8')
  readonly #kept: string[] = []
  #keptBytes = 0
  #bytes = 0

  constructor(readonly most: number) {}

  get bytes(): number {
    return this.#bytes
  }

  /** The text of this chunk, which may end in the middle of a character that the next one completes. */
  take(chunk: Buffer): string {
    this.#bytes += chunk.length
    return this.#keep(this.#decoder.write(chunk))
  }

  end(): CapturedOutput {
    this.#keep(this.#decoder.end())
    return Object.freeze({ text: this.#kept.join(''), bytes: this.#bytes, cut: this.#bytes > this.most })
  }

  #keep(text: string): string {
    const room = this.most - this.#keptBytes
    if (room > 0 && text !== '') {
      const fits = text.length * 3 <= room ? text : new StringDecoder('utf8').write(Buffer.from(text).subarray(0, room))
      this.#kept.push(fits)
      this.#keptBytes += Buffer.byteLength(fits)
      if (fits !== text) this.#keptBytes = this.most
    }
    return text
  }
}
