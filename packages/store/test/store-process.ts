import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const SCRIPT = fileURLToPath(new URL('./children/store-child.mjs', import.meta.url))

/** A real process of its own over the same store. */
export class StoreProcess {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>

  constructor() {
    this.#child = spawn(process.execPath, [SCRIPT], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, FORCE_COLOR: undefined },
    })
    const output = this.#child.stdout
    if (output === null) throw new Error('the child has no output')
    this.#lines = createInterface({ input: output })[Symbol.asyncIterator]()
    onTestFinished(() => void this.#child.kill('SIGKILL'))
  }

  async ask(command: string, options: object = {}): Promise<unknown> {
    this.tell(command, options)
    return JSON.parse((await this.nextLine()) ?? 'null')
  }

  tell(command: string, options: object = {}): void {
    this.#child.stdin?.write(`${JSON.stringify({ command, ...options })}\n`)
  }

  /** Undefined after the last one. */
  async nextLine(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next()
    return done ? undefined : value
  }

  /** Ends without a chance to tidy up; resolves when the system has let go of it. */
  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
  }
}
