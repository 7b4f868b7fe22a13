import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { McpError } from '../errors.js'
import { type TapEntry, tapLine } from './tap-entry.js'

/** Entries that may wait for a disk that does not keep up. Bytes. */
const WAITING_MAX = 64 << 20

/** A file of entries, one a line, readable by its owner only. Traffic never waits for it. */
export class TapLog {
  readonly #stream: WriteStream
  #failure: Error | undefined
  #lost = 0

  private constructor(readonly file: string) {
    this.#stream = createWriteStream(file, { flags: 'a', mode: 0o600 })
    this.#stream.on('error', (error) => {
      this.#failure ??= error
    })
  }

  /** @throws McpError `mcp-log-unwritable` */
  static async open(file: string): Promise<TapLog> {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const log = new TapLog(file)
      await new Promise<void>((ready, fail) => log.#stream.once('open', () => ready()).once('error', fail))
      return log
    } catch (cause) {
      throw new McpError('mcp-log-unwritable', `The log ${file} cannot be written. Name another one with --log.`, {
        cause,
      })
    }
  }

  write(entry: TapEntry): void {
    if (this.#failure !== undefined || this.#stream.writableLength > WAITING_MAX) this.#lost++
    else this.#stream.write(`${tapLine(entry)}\n`)
  }

  /** Waits until all is in the file; says how many entries could not be kept. */
  async close(): Promise<number> {
    this.#stream.end()
    await finished(this.#stream).catch(() => undefined)
    return this.#lost
  }
}
