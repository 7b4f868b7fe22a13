import { RunState } from '@tenon/kernel'
import { resultText } from '../../host/result-text.js'
import { storeEngine } from '../../host/store-engine.js'
import { eventLine } from '../event-line.js'
import { EXIT, exitCodeOf } from '../exit-code.js'
import { type CommonOptions, type Io, styleOf } from '../io.js'
import { openRuns } from '../open-runs.js'
import { narrate } from '../printer/narrate.js'
import { Printer } from '../printer/printer.js'
import { resolveRun } from '../resolve-run.js'

export type FollowRunOptions = CommonOptions & {
  readonly after: number
  readonly untilParked?: boolean
  readonly json?: boolean
}

/** `tenon runs follow`: watches only; Ctrl-C ends the watching and not the run. */
export async function followRun(io: Io, written: string, options: FollowRunOptions): Promise<number> {
  const { store } = openRuns(io, options)
  const style = styleOf(io, io.stderr, options.plain === true)
  const printer = new Printer({ style, write: (text) => void io.stderr.write(text) })
  const engine = storeEngine(store, () => undefined)
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    const { runId } = resolveRun(store, written)
    if (store.runs.unfinished().some((left) => left.runId === runId && !left.parked))
      printer.say(`Nobody drives this run now. It goes on with: tenon runs resume ${runId}`, 'muted')
    const run = new RunState()
    for await (const item of engine.follow(runId, { signal: stop.signal, untilParked: options.untilParked === true })) {
      if (item.kind === 'event') run.apply(item.event)
      if (run.seq <= options.after) continue
      printer.print(narrate(run, item, { width: style.width, name: runId }))
      if (options.json && item.kind === 'event') io.stdout.write(eventLine(runId, item.event))
    }
    printer.close()
    if (stop.signal.aborted) return EXIT.canceled
    const result = run.ended === undefined ? '' : resultText(run.ended)
    if (!options.json && result !== '' && !(io.stdout.isTTY && printer.sawText(result))) io.stdout.write(`${result}\n`)
    return exitCodeOf(run)
  } finally {
    process.off('SIGINT', interrupt)
    printer.close()
    await engine.close()
    store.close()
  }
}
