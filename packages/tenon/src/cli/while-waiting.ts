import { type Io, styleOf } from './io.js'
import { Printer } from './printer/printer.js'

/** Waits for work. Where that takes longer than a moment, standard error tells what is waited for, and how long already. */
export async function whileWaiting<T>(
  io: Io,
  { plain = false }: { readonly plain?: boolean },
  what: string,
  work: Promise<T>,
): Promise<T> {
  const printer = new Printer({ style: styleOf(io, io.stderr, plain), write: (text) => void io.stderr.write(text) })
  printer.print([{ kind: 'busy', text: what }])
  try {
    return await work
  } finally {
    printer.close()
  }
}
