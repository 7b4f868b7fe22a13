import { addModel, byteSize, installRuntime, KNOWN_WEIGHTS, type SetupProgress, userDataFolder } from '@tenon/models'
import { terminalAsker } from '../consent/asker.js'
import { EXIT } from '../exit-code.js'
import { type CommonOptions, type Io, isInteractive, styleOf } from '../io.js'
import { Printer } from '../printer/printer.js'

export type AddLocalModelOptions = CommonOptions & {
  readonly as?: string
  readonly sha256?: string
  readonly yes?: boolean
}

/** `tenon models add`: the weights, which may be refused, then the runtime; each is there whole or not at all. */
export async function addLocalModel(io: Io, source: string, options: AddLocalModelOptions): Promise<number> {
  const dataFolder = userDataFolder(io.environment)
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  const known = KNOWN_WEIGHTS.find(({ name }) => name === source)
  if (known !== undefined && options.yes !== true && isInteractive(io)) {
    const typed = await terminalAsker(io).question(
      `${source} is ${byteSize(known.bytes)}. Download it? [Y/n] `,
      stop.signal,
    )
    if (typed === undefined || /^n/i.test(typed.trim())) {
      process.off('SIGINT', interrupt)
      return EXIT.canceled
    }
  }
  const style = styleOf(io, io.stderr, options.plain === true)
  const printer = new Printer({ style, write: (text) => void io.stderr.write(text) })
  const onProgress = progressTeller(printer)
  try {
    const model = await addModel(source, {
      dataFolder,
      onProgress,
      signal: stop.signal,
      ...(options.as === undefined ? {} : { name: options.as }),
      ...(options.sha256 === undefined ? {} : { sha256: options.sha256 }),
    })
    await installRuntime(dataFolder, { onProgress, signal: stop.signal })
    printer.close()
    const how = model.choosesTools ? '' : ' It is too small to choose tools, so it answers only where it is named.'
    io.stderr.write(`local/${model.name} is ready: tenon run "…" --model local/${model.name}.${how}\n`)
    return EXIT.completed
  } catch (error) {
    if (!stop.signal.aborted) throw error
    printer.close()
    io.stderr.write('Stopped. What was downloaded is kept; the same command goes on from there.\n')
    return EXIT.canceled
  } finally {
    process.off('SIGINT', interrupt)
    printer.close()
  }
}

/** A line for each step, and between them how far it is. */
function progressTeller(printer: Printer): (progress: SetupProgress) => void {
  let said = ''
  return ({ step, message, done, total }) => {
    if (done === undefined) {
      if (message !== said) printer.say(message, 'muted')
      said = message
      return
    }
    const share =
      total === undefined
        ? byteSize(done)
        : `${byteSize(done)} of ${byteSize(total)} (${Math.floor((done / total) * 100)}%)`
    printer.print([{ kind: 'busy', text: `${step}: ${share}` }])
  }
}
