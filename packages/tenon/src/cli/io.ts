import type { Environment } from '../config/interpolate.js'
import { type PrintStyle, printStyle } from './printer/print-style.js'

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** Where the command reads and writes. Results go to `stdout`, everything else to `stderr`. */
export type Io = {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: Output
  readonly stderr: Output
  readonly environment: Environment
  readonly cwd: string
}

/** Options that every command takes. */
export type CommonOptions = {
  readonly config?: string
  readonly store?: string
  readonly plain?: boolean
}

export const processIo = (): Io => ({
  // Made by Node when it is first asked for; most commands read nothing.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  cwd: process.cwd(),
})

/** A person is there to be asked. */
export const isInteractive = (io: Io): boolean => io.stdin.isTTY === true && io.stderr.isTTY === true

export function styleOf(io: Io, output: Output, plain: boolean): PrintStyle {
  return printStyle({
    isTTY: output.isTTY === true,
    columns: output.columns,
    environment: io.environment,
    plain,
  })
}
