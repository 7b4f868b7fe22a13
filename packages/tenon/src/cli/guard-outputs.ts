import type { HostErrorCode } from '../errors.js'
import { EXIT } from './exit-code.js'
import { safeText } from './printer/safe-text.js'

type Outputs = { readonly stdout: NodeJS.WritableStream; readonly stderr: NodeJS.WritableStream }

const UNWRITABLE = 'output-unwritable' satisfies HostErrorCode

/** What becomes of the process when nobody reads what it writes, or it cannot be written. */
export function guardOutputs({ stdout, stderr }: Outputs): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`tenon runs | head`) closes the pipe: nothing is wrong then.
    if (error.code === 'EPIPE') process.exit(EXIT.completed)
    const reason = safeText(error.code ?? error.message)
    stderr.write(`error: Standard output cannot be written: ${reason}. [${UNWRITABLE}]\n`)
    process.exit(EXIT.failed)
  })
  // What is said there is for whoever watches. That nobody does any more is no reason to drop the work.
  stderr.on('error', () => {})
}
